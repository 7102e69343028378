export type ContentEncoding = 'br' | 'gzip'

/** True if an Accept-Encoding header names the coding with a weight above 0 (RFC 9110, section 12.5.3). */
export function accepts(header: string | string[] | undefined, encoding: ContentEncoding): boolean {
  const codings = String(header ?? '').split(',')
  const [, weight] = codings
    .map((each) => each.trim().split(/\s*;\s*q=/))
    .find(([name]) => name === encoding) ?? ['', '0']
  return Number(weight ?? 1) > 0
}
