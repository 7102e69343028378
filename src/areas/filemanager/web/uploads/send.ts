import { type Call, urlOf } from '../../../../web/call.ts'
import { accessToken } from '../../../../web/session.ts'
import { ApiError } from '../../../../web/wire.ts'

/** A request with a raw body. */
export interface Shipment<Answer> {
  readonly call: Call<Answer>
  readonly bytes: Blob
  /** Receives the number of bytes sent. */
  readonly onSent: (bytes: number) => void
  readonly signal: AbortSignal
}

/**
 * Sends a raw body, so that memory holds no second copy; reports progress and returns `data` of the reply.
 */
export async function sendBytes<Answer>({ call, bytes, onSent, signal }: Shipment<Answer>): Promise<Answer> {
  const token = await accessToken()
  const sending = new XMLHttpRequest()
  sending.open(call.method, urlOf(call))
  if (token) sending.setRequestHeader('authorization', `Bearer ${token}`)
  sending.setRequestHeader('content-type', 'application/octet-stream')
  sending.upload.addEventListener('progress', ({ loaded }) => onSent(loaded))
  signal.addEventListener('abort', () => sending.abort())
  return new Promise<Answer>((resolve, reject) => {
    sending.addEventListener('load', () => {
      const body = bodyOf<Answer>(sending.responseText)
      if (sending.status < 300 && body?.data !== undefined) resolve(body.data)
      else reject(new ApiError(sending.status, body?.error ?? {}))
    })
    sending.addEventListener('error', () => reject(new TypeError('The connection was lost')))
    sending.addEventListener('abort', () => reject(new DOMException('The upload was stopped', 'AbortError')))
    if (signal.aborted) reject(new DOMException('The upload was stopped', 'AbortError'))
    else sending.send(bytes)
  })
}

function bodyOf<Value>(
  text: string,
): { readonly data?: Value; readonly error?: Record<string, string> } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // the reply came from a proxy, not from the panel
  }
}
