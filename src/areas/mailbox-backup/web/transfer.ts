import type { Call } from '../../../web/call.ts'
import { request } from '../../../web/client.ts'

const addressMs = 60_000

/** Reads what an endpoint sends as bytes. */
export async function readBytes(call: Call, signal?: AbortSignal): Promise<Blob> {
  return (await request(call, signal)).blob()
}

/** Downloads what an endpoint sends, and hands it to the browser as a file. */
export async function download(call: Call, fileName: string): Promise<void> {
  const bytes = await readBytes(call)
  // a type that the browser would show is not shown by this panel's address
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click()
  setTimeout(() => URL.revokeObjectURL(url), addressMs)
}
