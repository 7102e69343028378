const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** Formats a size with a suitable unit: 134217728 is `128 MiB`. */
export function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${units[power]}`
}
