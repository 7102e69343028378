import { type Query, request } from '../../../web/client.ts'
import { wirePath } from './names.ts'
import { nameOf } from './paths.ts'
import { shown } from './names.ts'
import type { Item, Whose } from './queries.ts'

/** GET /filemanager/download, kept as a file by the browser; a folder comes as an archive. */
export async function downloadItem(whose: Whose, item: Pick<Item, 'path' | 'type'>, archive: 'zip' | 'tar.gz' = 'zip'): Promise<void> {
  const isFolder = item.type === 'folder'
  const query: Query = { ...whose, ...wirePath(item.path), ...(isFolder && { archive }) }
  const name = shown(nameOf(item.path)) || 'home'
  await keep(await request({ method: 'GET', path: '/filemanager/download', query }), isFolder ? `${name}.${archive}` : name)
}

/** Hands what came to the browser as a file. */
export async function keep(answer: Response, name: string): Promise<void> {
  const url = URL.createObjectURL(await answer.blob())
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
