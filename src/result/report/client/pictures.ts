/**
 * In the browser: a picture shows the value under the pointer, and the arrow keys step through its marks; pictures that
 * come later too.
 */

const tip = document.getElementById('tip')
/** Distance in pixels within which the pointer selects a mark. */
const reach = 24
let shown: SVGElement | undefined

function show(mark: SVGElement | undefined): void {
  for (const one of document.querySelectorAll('.pointed')) one.classList.remove('pointed')
  if (tip === null) return
  tip.hidden = mark === undefined
  if (mark === undefined) return
  shown = mark
  mark.classList.add('pointed')
  tip.textContent = mark.dataset['tip'] ?? ''
  const box = mark.getBoundingClientRect()
  const left = Math.min(box.right + 8, document.documentElement.clientWidth - tip.offsetWidth - 8)
  tip.style.left = `${Math.max(8, left) + scrollX}px`
  tip.style.top = `${Math.max(8, box.top - tip.offsetHeight - 6) + scrollY}px`
}

function plotOf({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('.plot') : null
}

function point(event: PointerEvent): void {
  const plot = plotOf(event)
  if (plot === null) return
  const direct = (event.target as Element).closest<SVGElement>('[data-tip]')
  show(direct ?? nearest(marksIn(plot), event.clientX, event.clientY))
}
document.addEventListener('pointermove', point)
document.addEventListener('pointerdown', point)
document.addEventListener('pointerout', (event) => {
  const to = event.relatedTarget
  if (plotOf(event)?.contains(to instanceof Node ? to : null) === false) show(undefined)
})
document.addEventListener('focusout', (event) => {
  if (plotOf(event) !== null) show(undefined)
})
document.addEventListener('keydown', (event) => {
  const plot = plotOf(event)
  if (plot === null) return
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (event.key === 'Escape') show(undefined)
  const marks = marksIn(plot)
  if (step === undefined || marks.length === 0) return
  event.preventDefault()
  const before = shown === undefined ? -1 : marks.indexOf(shown)
  const mark = marks[before < 0 && step < 0 ? marks.length - 1 : (before + step + marks.length) % marks.length]
  mark?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  show(mark)
})

function marksIn(plot: HTMLElement): SVGElement[] {
  return [...plot.querySelectorAll<SVGElement>('[data-tip]')]
}

function nearest(marks: readonly SVGElement[], x: number, y: number): SVGElement | undefined {
  let [best, least]: [SVGElement | undefined, number] = [undefined, reach]
  for (const mark of marks) {
    const { left, right, top, bottom } = mark.getBoundingClientRect()
    const distance = Math.hypot(x - (left + right) / 2, y - (top + bottom) / 2)
    if (distance < least) [best, least] = [mark, distance]
  }
  return best
}
