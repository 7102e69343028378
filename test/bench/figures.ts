/** One measured figure with what it must not exceed (or fall below). */
export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** The bound for the product, measured on an otherwise idle machine. */
  readonly bound: number
  readonly isMinimum?: boolean
  /** What CI accepts, where the machine is shared; default: the bound, widened by 60 %. */
  readonly loose?: number
  readonly detail?: string
}

/** The median of several measurements. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** The bound that applies to a figure. */
export function boundOf({ bound, loose, isMinimum }: Figure, isShort: boolean): number {
  if (!isShort) return bound
  return loose ?? (isMinimum ? bound / 1.6 : bound * 1.6)
}

/** True if a figure is within its bound. */
export function holds(figure: Figure, isShort: boolean): boolean {
  const bound = boundOf(figure, isShort)
  return figure.isMinimum ? figure.value >= bound : figure.value <= bound
}

/** The figures as lines of text. */
export function table(figures: readonly Figure[], isShort: boolean): string {
  const rows = figures.map((figure) => {
    const sign = figure.isMinimum ? '≥' : '≤'
    const bound = boundOf(figure, isShort)
    return [
      holds(figure, isShort) ? 'ok' : 'MISSED',
      figure.what,
      `${shown(figure.value)} ${figure.unit}`,
      `${sign} ${shown(bound)} ${figure.unit}`,
      figure.detail ?? '',
    ]
  })
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => (row[column] as string).length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A value for people. */
export function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2)
}
