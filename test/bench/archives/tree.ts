import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Home } from '../homes.ts'

/** A folder as websites have them: many pages of text, some pictures that do not shrink, one large file. The same on each run. */
export function makeTree(home: Home, name: string, pages: number): { readonly bytes: number } {
  const random = numbers(7)
  const vocabulary = Array.from({ length: 4000 }, () =>
    Array.from({ length: 3 + (random() % 8) }, () => String.fromCharCode(97 + (random() % 26))).join(''),
  )
  let bytes = 0
  const put = (path: string, content: Buffer) => {
    writeFileSync(`${home.path}/${name}/${path}`, content)
    bytes += content.length
  }
  for (let page = 0; page < pages; page++) {
    const folder = `section-${page % 40}`
    if (page < 40) mkdirSync(`${home.path}/${name}/${folder}`, { recursive: true })
    const text = Array.from(
      { length: 500 + (random() % 5000) },
      () => vocabulary[(random() % 4000) & random()],
    ).join(' ')
    put(`${folder}/page-${page}.html`, Buffer.from(`<p>${text}</p>\n`))
    if (page % 20 === 0) put(`${folder}/picture-${page}.jpg`, noise(random, 60_000))
  }
  put(
    'large.bin',
    Buffer.concat([noise(random, 2_000_000), Buffer.alloc(6_000_000, 'a line of a log that repeats\n')]),
  )
  execFileSync('chown', ['-R', `${home.uid}:${home.uid}`, `${home.path}/${name}`])
  return { bytes }
}

/** Creates a folder with the given number of small files. */
export function makeFlat(home: Home, name: string, files: number): void {
  mkdirSync(`${home.path}/${name}`)
  for (let file = 0; file < files; file++)
    writeFileSync(`${home.path}/${name}/entry-${file}.txt`, `content of ${file}\n`)
  execFileSync('chown', ['-R', `${home.uid}:${home.uid}`, `${home.path}/${name}`])
}

function noise(random: () => number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; at++) bytes[at] = random()
  return bytes
}

// xorshift: the same numbers from the same seed.
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}
