import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { run } from '../../../src/host/run.ts'

/**
 * Everything that a restore must bring back of a folder, a line each: names as bytes, kinds, modes, owners, sizes, times in
 * nanoseconds, links and content; access lists; `user.*` attributes. Folders of the name `left` are left out.
 */
export async function readTree(root: string, left: string): Promise<readonly string[]> {
  const entries = await entriesOf(Buffer.from(root), Buffer.from('.'), left)
  const options = { maxBytes: 64 * 1024 * 1024, timeoutMs: 120_000 }
  const lists = await run(
    ['getfacl', '--recursive', '--physical', '--numeric', '--absolute-names', '--', root],
    options,
  )
  assert.equal(lists.code, 0, lists.stderr)
  const attributes = await run(
    ['getfattr', '-R', '-P', '-h', '-d', '-m', '^user\\.', '-e', 'hex', '--absolute-names', '--', root],
    options,
  )
  assert.equal(attributes.code, 0, attributes.stderr)
  const blocks = [lists, attributes].flatMap(({ stdout }) => stdout.trim().split('\n\n'))
  const isLeft = (block: string) => new RegExp(`^# file: .*/${left}(/|$)`, 'm').test(block)
  return [
    ...entries,
    ...blocks.filter((block) => !isLeft(block)).map((block) => block.replaceAll('\n', '; ')),
  ].toSorted()
}

/** The lines that one of two trees has alone. */
export function differenceOf(one: readonly string[], other: readonly string[]): readonly string[] {
  const [ones, others] = [new Set(one), new Set(other)]
  return [
    ...one.filter((line) => !others.has(line)).map((line) => `- ${line}`),
    ...other.filter((line) => !ones.has(line)).map((line) => `+ ${line}`),
  ]
}

async function entriesOf(path: Buffer, name: Buffer, left: string): Promise<readonly string[]> {
  const found = await lstat(path, { bigint: true })
  const line = (kind: string, ...rest: readonly (string | bigint)[]) =>
    [
      JSON.stringify(name.toString('latin1')),
      kind,
      (found.mode & 0o7777n).toString(8),
      ...[`${found.uid}:${found.gid}`, found.mtimeNs, ...rest],
    ].join(' ')
  if (found.isFile()) return [line('file', found.size, found.nlink, await digestOf(path))]
  if (found.isSymbolicLink()) return [line('link', (await readlink(path, 'buffer')).toString('hex'))]
  if (!found.isDirectory()) return [line('other')]
  const below: string[] = [line('folder')]
  for (const each of await readdir(path, { encoding: 'buffer' }))
    if (each.toString('latin1') !== left)
      below.push(...(await entriesOf(join(path, each), join(name, each), left)))
  return below
}

const join = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, Buffer.from('/'), name])

async function digestOf(path: Buffer): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
