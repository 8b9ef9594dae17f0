/** The Pareto frontier of points on two axes. */

/** Names of the points that no other point beats on both axes, higher being better on both, from the highest `x` on. */
export function frontierNames(points: readonly { name: string; x: number; y: number }[]): string[] {
  let best = -Infinity
  return points
    .toSorted((a, b) => b.x - a.x || b.y - a.y)
    .flatMap(({ name, y }) => {
      if (y <= best) return []
      best = y
      return [name]
    })
}
