/** One value of a series; `at` in milliseconds since 1970. */
export interface ChartPoint {
  readonly at: number
  readonly value: number
}

/** Returns the next round number above a value, or the next power of two. */
export function roundAbove(value: number, base: 10 | 2 = 10): number {
  if (value <= 0) return 1
  if (base === 2) return 2 ** Math.ceil(Math.log2(value))
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((each) => each * power >= value) ?? 10
  return step * power
}

/** Splits a series where measurements are missing, so that no line bridges the gap. */
export function unbroken(points: readonly ChartPoint[], gapMs: number): readonly (readonly ChartPoint[])[] {
  const parts: ChartPoint[][] = []
  for (const point of points) {
    const part = parts.at(-1)
    const last = part?.at(-1)
    if (part && last && point.at - last.at <= gapMs) part.push(point)
    else parts.push([point])
  }
  return parts
}

/** Returns the point nearest to a time. */
export function nearest(points: readonly ChartPoint[], at: number): ChartPoint | undefined {
  return points.reduce<ChartPoint | undefined>(
    (best, point) => (best === undefined || Math.abs(point.at - at) < Math.abs(best.at - at) ? point : best),
    undefined,
  )
}
