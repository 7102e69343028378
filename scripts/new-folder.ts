import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Makes a folder of files; throws when it is there already. */
export function makeFolder(folder: string, files: ReadonlyMap<string, string>): void {
  if (existsSync(`${root}${folder}`)) throw new Error(`${folder} is there already`)
  for (const [name, text] of files) {
    const path = `${root}${folder}/${name}`
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

/** Edits a file that lists what there is; throws when the text to hold on to is not in it. */
export function register(
  file: string,
  edits: readonly { readonly at: RegExp; readonly text: string }[],
): void {
  const before = readFileSync(`${root}${file}`, 'utf8')
  const after = edits.reduce((text, edit) => {
    if (!edit.at.test(text))
      throw new Error(
        `${file} has changed its form: ${edit.at} is not in it; register the new folder by hand`,
      )
    return text.replace(edit.at, (found) => `${found}${edit.text}`)
  }, before)
  writeFileSync(`${root}${file}`, after)
}

/** Formats what was made, and writes the generated files anew. */
export function finish(paths: readonly string[]): void {
  run(`${root}node_modules/.bin/oxfmt`, paths)
  run(process.execPath, ['scripts/snapshots.ts'])
  run(process.execPath, ['scripts/reference.ts'])
}

function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit', timeout: 60_000 })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`)
}
