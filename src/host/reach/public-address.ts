import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'

const limitMs = 5000
const maxBytes = 4096

/**
 * Asks a server on the internet for the address that it sees, over IPv4 or IPv6. It answers with the address as
 * text, or as `ip` of a JSON object. Undefined if it does not within 5 seconds.
 */
export async function askPublicAddress(url: string, family: 4 | 6): Promise<string | undefined> {
  const asked = URL.parse(url)
  if (asked === null || !['http:', 'https:'].includes(asked.protocol)) return undefined
  const signal = AbortSignal.timeout(limitMs)
  const options = {
    family,
    signal,
    agent: false,
    headers: { 'user-agent': 'Hostreeve', accept: 'text/plain, application/json' },
  }
  const request = asked.protocol === 'https:' ? httpsRequest(asked, options) : httpRequest(asked, options)
  request.on('error', () => {}).end()
  try {
    const [response]: IncomingMessage[] = await once(request, 'response', { signal })
    const address = response?.statusCode === 200 ? addressIn(await textOf(response)) : undefined
    return address !== undefined && isIP(address) === family ? address : undefined
  } catch {
    return undefined // no route over this family, or no answer
  } finally {
    request.destroy()
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of response.setEncoding('utf8')) if ((text += part).length > maxBytes) return ''
  return text.trim()
}

function addressIn(text: string): string | undefined {
  if (!text.startsWith('{')) return text
  const parsed: unknown = JSON.parse(text)
  return typeof parsed === 'object' && parsed !== null && 'ip' in parsed ? String(parsed.ip) : undefined
}
