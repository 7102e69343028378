import { urlOf } from '../../../web/client.ts'
import { accessToken } from '../../../web/session.ts'
import { ApiError } from '../../../web/wire.ts'
import type { Whose } from './queries.ts'

interface Upload {
  readonly whose: Whose
  readonly folder: string
  readonly file: File
  readonly onProgress: (percent: number) => void
  readonly signal: AbortSignal
}

/** POST /filemanager/upload: the bytes alone, so that nothing is held in memory twice; says how far it is. */
export async function uploadFile({ whose, folder, file, onProgress, signal }: Upload): Promise<void> {
  const token = await accessToken()
  const sending = new XMLHttpRequest()
  sending.open('POST', urlOf('/filemanager/upload', { ...whose, path: folder, name: file.name }))
  if (token) sending.setRequestHeader('authorization', `Bearer ${token}`)
  sending.setRequestHeader('content-type', 'application/octet-stream')
  sending.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? (loaded / total) * 100 : 0))
  signal.addEventListener('abort', () => sending.abort())
  await new Promise<void>((resolve, reject) => {
    sending.addEventListener('load', () => (sending.status < 300 ? resolve() : reject(failureOf(sending))))
    sending.addEventListener('error', () => reject(new TypeError('The connection was lost')))
    sending.addEventListener('abort', () => reject(new Error('The upload was cancelled')))
    sending.send(file)
  })
}

function failureOf({ status, responseText }: XMLHttpRequest): ApiError {
  try {
    return new ApiError(status, (JSON.parse(responseText) as { error: Record<string, string> }).error)
  } catch {
    return new ApiError(status, {}) // the answer came from something between, not from the panel
  }
}
