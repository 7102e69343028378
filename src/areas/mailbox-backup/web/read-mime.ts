/** The text of a message that is shown; undefined where it has none of the kind. */
export interface MessageBody {
  readonly html: string | undefined
  readonly plain: string | undefined
}

interface Part {
  readonly headers: ReadonlyMap<string, string>
  /** Each byte as one character. */
  readonly body: string
}

const mostDepth = 20
const mostParts = 500

/** Finds the first text and the first HTML of a message, which is read byte by byte (latin1). */
export function readMime(source: string): MessageBody {
  const found: { html?: string; plain?: string } = {}
  let parts = 0
  const walk = (part: Part, depth: number): void => {
    parts += 1
    if (depth > mostDepth || parts > mostParts) return
    const type = (part.headers.get('content-type') ?? 'text/plain').toLowerCase()
    const boundary = parameterOf(part.headers.get('content-type') ?? '', 'boundary')
    if (type.startsWith('multipart/') && boundary !== undefined) {
      for (const inner of partsOf(part.body, boundary)) walk(splitPart(inner), depth + 1)
      return
    }
    if (/^\s*attachment/i.test(part.headers.get('content-disposition') ?? '')) return
    if (type.startsWith('text/html')) found.html ??= textOf(part)
    else if (type.startsWith('text/plain')) found.plain ??= textOf(part)
  }
  walk(splitPart(source), 0)
  return { html: found.html, plain: found.plain }
}

const piece = 32_768

/** Returns bytes as text, each as one character: a decoder for latin1 takes some for those of Windows. */
export function latin1Of(bytes: Uint8Array): string {
  let text = ''
  for (let from = 0; from < bytes.length; from += piece)
    text += String.fromCharCode(...bytes.subarray(from, from + piece))
  return text
}

function splitPart(source: string): Part {
  const end = /^\r?\n|\r?\n\r?\n/.exec(source)
  const head = end === null ? source : source.slice(0, end.index)
  const body = end === null ? '' : source.slice(end.index + end[0].length)
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim().toLowerCase()
    if (colon > 0 && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim())
  }
  return { headers, body }
}

function partsOf(body: string, boundary: string): readonly string[] {
  const [, ...parts] = `\n${body}`.split(`\n--${boundary}`)
  const last = parts.findIndex((part) => part.startsWith('--'))
  return parts
    .slice(0, last < 0 ? undefined : last)
    .map((part) => part.replace(/^[^\n]*\n/, '').replace(/\r$/, ''))
}

function parameterOf(header: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(header)
  return found?.[1] ?? found?.[2]
}

function textOf({ headers, body }: Part): string {
  const encoding = (headers.get('content-transfer-encoding') ?? '').trim().toLowerCase()
  const bytes = bytesOf(decoded(body, encoding))
  const charset = parameterOf(headers.get('content-type') ?? '', 'charset') ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'quoted-printable')
    return body
      .replaceAll(/[ \t]*=\r?\n/g, '')
      .replaceAll(/=([0-9A-Fa-f]{2})/g, (_found, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
  if (encoding !== 'base64') return body
  const clean = body.replaceAll(/[^A-Za-z0-9+/]/g, '')
  return atob(clean.slice(0, clean.length - (clean.length % 4 === 1 ? 1 : 0)))
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 255)

/** Wraps the HTML of a message, so that it runs no script, loads nothing from elsewhere and leads nowhere. */
export const framed = (html: string): string =>
  `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'"><meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light">${html}`
