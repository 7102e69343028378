import assert from 'node:assert/strict'
import { it } from 'node:test'
import { filesOfEntries } from './dropped.ts'

const fileEntry = (name: string) =>
  ({
    name,
    isFile: true,
    isDirectory: false,
    file: (give: (file: File) => void) => give(new File(['x'], name)),
  }) as unknown as FileSystemEntry

const folderEntry = (name: string, ...within: readonly FileSystemEntry[]) => {
  const createReader = () => {
    const batches = [within, []]
    return { readEntries: (give: (some: readonly FileSystemEntry[]) => void) => give(batches.shift() ?? []) }
  }
  return { name, isFile: false, isDirectory: true, createReader } as unknown as FileSystemEntry
}

it('finds the files within dropped folders, and the folders that are empty', async () => {
  const tree = folderEntry(
    'site',
    fileEntry('index.html'),
    folderEntry('cache'),
    folderEntry('deep', folderEntry('deeper')),
  )
  const { files, emptyFolders } = await filesOfEntries([tree, fileEntry('a.txt'), folderEntry('lone')], 'to')
  assert.deepEqual(
    files.map(({ file, folder }) => `${folder}/${file.name}`),
    ['to/site/index.html', 'to/a.txt'],
  )
  assert.deepEqual(emptyFolders, ['to/site/cache', 'to/site/deep/deeper', 'to/lone'])
})
