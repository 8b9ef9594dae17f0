/** In the browser: a picture shows the value under the pointer, and the arrow keys step through its marks. */

const tip = document.getElementById('tip')
/** Distance in pixels within which the pointer selects a mark. */
const reach = 24

for (const plot of document.querySelectorAll<HTMLElement>('.plot')) {
  const marks = [...plot.querySelectorAll<SVGElement>('[data-tip]')]
  let at = -1
  const show = (mark: SVGElement | undefined): void => {
    for (const one of plot.querySelectorAll('.pointed')) one.classList.remove('pointed')
    if (tip === null) return
    tip.hidden = mark === undefined
    if (mark === undefined) return
    mark.classList.add('pointed')
    tip.textContent = mark.dataset['tip'] ?? ''
    const box = mark.getBoundingClientRect()
    const left = Math.min(box.right + 8, document.documentElement.clientWidth - tip.offsetWidth - 8)
    tip.style.left = `${Math.max(8, left) + scrollX}px`
    tip.style.top = `${Math.max(8, box.top - tip.offsetHeight - 6) + scrollY}px`
  }
  const point = (event: PointerEvent): void => {
    const direct = (event.target as Element).closest<SVGElement>('[data-tip]')
    const mark = direct ?? nearest(marks, event.clientX, event.clientY)
    at = mark === undefined ? at : marks.indexOf(mark)
    show(mark)
  }
  plot.addEventListener('pointermove', point)
  plot.addEventListener('pointerdown', point)
  plot.addEventListener('pointerleave', () => show(undefined))
  plot.addEventListener('blur', () => show(undefined))
  plot.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (event.key === 'Escape') show(undefined)
    if (step === undefined || marks.length === 0) return
    event.preventDefault()
    at = (at + step + marks.length) % marks.length
    const mark = marks[at]
    mark?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    show(mark)
  })
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
