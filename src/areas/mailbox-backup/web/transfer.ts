import { type Call, urlOf } from '../../../web/call.ts'
import { accessToken } from '../../../web/session.ts'
import { ApiError } from '../../../web/wire.ts'

const addressMs = 60_000

/** Reads what an endpoint sends as bytes. */
export async function readBytes(call: Call<unknown>, signal?: AbortSignal): Promise<Blob> {
  const token = await accessToken()
  const reply = await fetch(urlOf(call), {
    ...(signal && { signal }),
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  })
  if (reply.ok) return reply.blob()
  const { error = {} } = await reply.json().catch(() => ({}))
  throw new ApiError(reply.status, error)
}

/** Downloads what an endpoint sends, and hands it to the browser as a file. */
export async function download(call: Call<unknown>, fileName: string): Promise<void> {
  const bytes = await readBytes(call)
  // a type that the browser would show is not shown by this panel's address
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click()
  setTimeout(() => URL.revokeObjectURL(url), addressMs)
}
