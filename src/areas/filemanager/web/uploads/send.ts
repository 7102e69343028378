import { urlOf } from '../../../../web/client.ts'
import { accessToken } from '../../../../web/session.ts'
import { ApiError } from '../../../../web/wire.ts'
import { wirePath } from '../names.ts'
import type { Whose } from '../queries.ts'

/** A file on its way to a path. */
export interface Shipment {
  readonly whose: Whose
  readonly file: File
  readonly folder: string
  readonly name: string
  readonly overwrite: boolean
  readonly onSent: (bytes: number) => void
  readonly signal: AbortSignal
}

/** POST /filemanager/upload: the bytes alone, so that nothing is held in memory twice; says how many went. */
export async function sendWhole({ whose, file, folder, name, overwrite, onSent, signal }: Shipment): Promise<void> {
  const token = await accessToken()
  const sending = new XMLHttpRequest()
  sending.open('POST', urlOf('/filemanager/upload', { ...whose, ...wirePath(folder), name, overwrite }))
  if (token) sending.setRequestHeader('authorization', `Bearer ${token}`)
  sending.setRequestHeader('content-type', 'application/octet-stream')
  sending.upload.addEventListener('progress', ({ loaded }) => onSent(loaded))
  signal.addEventListener('abort', () => sending.abort())
  await new Promise<void>((resolve, reject) => {
    sending.addEventListener('load', () => (sending.status < 300 ? resolve() : reject(failureOf(sending))))
    sending.addEventListener('error', () => reject(new TypeError('The connection was lost')))
    sending.addEventListener('abort', () => reject(new DOMException('The upload was stopped', 'AbortError')))
    sending.send(file)
  })
}

function failureOf({ status, responseText }: XMLHttpRequest): ApiError {
  try {
    const body: { readonly error: Record<string, string> } = JSON.parse(responseText)
    return new ApiError(status, body.error)
  } catch {
    return new ApiError(status, {}) // the answer came from something between, not from the panel
  }
}
