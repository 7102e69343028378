import { request } from '../../../web/client.ts'
import { mcp } from './api.ts'

const addressMs = 60_000

/** Downloads the panel's certificate, and hands it to the browser as a file. */
export async function downloadCertificate(): Promise<void> {
  const reply = await request(mcp.getCertificateFile())
  const url = URL.createObjectURL(await reply.blob())
  Object.assign(document.createElement('a'), { href: url, download: 'panel.crt' }).click()
  setTimeout(() => URL.revokeObjectURL(url), addressMs)
}
