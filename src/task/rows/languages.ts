/**
 * Language codes as tasks use them: ISO 639-3, with the script behind a hyphen where it matters (`eng`, `eng-Latn`), or
 * a script alone (`Latn`).
 */
import { fault, suggestion } from '#core'

// ISO 639-1 → 639-3, with the members of a macrolanguage that data sets name instead of it
const twoLetters = new Map(
  (
    'af:afr ak:aka am:amh ar:ara,arb as:asm ay:aym,ayr az:aze,azj ba:bak be:bel bg:bul bm:bam bn:ben bo:bod br:bre bs:bos ca:cat cs:ces cv:chv cy:cym da:dan de:deu dz:dzo ee:ewe el:ell en:eng eo:epo es:spa ' +
    'et:est,ekk eu:eus fa:fas,pes ff:ful,fuv fi:fin fj:fij fo:fao fr:fra fy:fry ga:gle gd:gla gl:glg gn:grn gu:guj ha:hau he:heb hi:hin hr:hrv ht:hat hu:hun hy:hye id:ind ig:ibo is:isl it:ita ja:jpn jv:jav ' +
    'ka:kat kg:kon ki:kik kk:kaz km:khm kn:kan ko:kor ks:kas ku:kur,kmr ky:kir lb:ltz lg:lug li:lim ln:lin lo:lao lt:lit lv:lav,lvs mg:mlg,plt mi:mri mk:mkd ml:mal mn:mon,khk mr:mar ms:msa,zsm mt:mlt my:mya ' +
    'nb:nob ne:nep,npi nl:nld nn:nno no:nor,nob,nno nr:nbl ny:nya oc:oci om:orm,gaz or:ori,ory pa:pan pl:pol ps:pus,pbt pt:por qu:que,quy rn:run ro:ron ru:rus rw:kin sa:san sc:srd sd:snd sg:sag si:sin sk:slk ' +
    'sl:slv sm:smo sn:sna so:som sq:sqi,als sr:srp ss:ssw st:sot su:sun sv:swe sw:swa,swh ta:tam te:tel tg:tgk th:tha ti:tir tk:tuk tl:tgl,fil tn:tsn tr:tur ts:tso tt:tat tw:twi ug:uig uk:ukr ur:urd ' +
    'uz:uzb,uzn ve:ven vi:vie wo:wol xh:xho yi:yid,ydd yo:yor zh:zho,cmn,cmo zu:zul'
  )
    .split(' ')
    .map((pair): [string, string[]] => [pair.slice(0, 2), pair.slice(3).split(',')]),
)

export interface LanguageChoice {
  /** Codes with their two-letter forms replaced. */
  readonly codes: readonly string[]
  /** Notices where a code was read as another. */
  readonly notices: readonly string[]
}

/** Checks codes against those that occur in tasks; two-letter codes are accepted and noted. Throws `usage.value`. */
export function chooseLanguages(wanted: readonly string[], known: ReadonlySet<string>): LanguageChoice {
  const notices: string[] = []
  const codes = wanted.flatMap((code) => {
    if (known.has(code)) return [code]
    const [language = '', ...script] = code.split('-')
    const longer = twoLetters
      .get(language.toLowerCase())
      ?.map((name) => [name, ...script].join('-'))
      .filter((name) => known.has(name))
    if (longer === undefined || longer.length === 0) {
      const form = code.includes('-') ? /^[a-z]{3}-/ : /^[a-z]{3}$/
      const alike = [...known].filter((name) => form.test(name))
      throw fault('usage.value', {
        place: '--languages',
        what: 'no task is in this language',
        seen: code,
        hint: `languages are ISO 639-3, such as eng or eng-Latn, scripts ISO 15924, such as Latn; ${suggestion(code, alike)}`,
      })
    }
    notices.push(`language ${code} is read as ${longer.join(', ')}`)
    return longer
  })
  return { codes: [...new Set(codes)], notices }
}

/** `eng-Latn`, `eng` and the script `Latn` of every given code. */
export function languageNames(codes: Iterable<string>): Set<string> {
  const names = new Set<string>()
  for (const code of codes) {
    names.add(code)
    const [language = '', script] = code.split('-')
    names.add(language)
    if (script !== undefined) names.add(script)
  }
  return names
}

/** True when one of a subset's languages was chosen, by language, by script, or by both. */
export function speaks(languages: readonly string[], chosen: readonly string[]): boolean {
  const names = languageNames(languages)
  return chosen.some((code) => names.has(code))
}
