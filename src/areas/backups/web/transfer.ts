import { type Call, urlOf } from '../../../web/call.ts'
import { accessToken } from '../../../web/session.ts'
import { ApiError } from '../../../web/wire.ts'
import { backups } from './api.ts'

const addressMs = 60_000

/** Downloads a backup and hands it to the browser as a file. */
export async function downloadBackup(filename: string): Promise<void> {
  const reply = await send(backups.downloadPanelBackup({ params: { filename } }))
  const url = URL.createObjectURL(await reply.blob())
  const link = Object.assign(document.createElement('a'), { href: url, download: filename })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), addressMs)
}

/** Uploads a backup under the name of its file. */
export async function uploadBackup(file: File): Promise<void> {
  const body = new FormData()
  body.append('file', file)
  await send(backups.uploadPanelBackup(), body)
}

async function send(call: Call<unknown>, body?: FormData): Promise<Response> {
  const token = await accessToken()
  const reply = await fetch(urlOf(call), {
    method: call.method,
    ...(body && { body }),
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  })
  if (reply.ok) return reply
  const { error = {} } = await reply.json().catch(() => ({}))
  throw new ApiError(reply.status, error)
}
