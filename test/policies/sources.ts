import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** A source file of the panel: its path below the checkout, its text, and what it imports. */
export interface Source {
  readonly path: string
  readonly text: string
  /** Paths below the checkout, or names of packages. */
  readonly imports: readonly string[]
}

/** Every TypeScript file of src/ except those of the web panel. */
export function sources(): readonly Source[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/(?:^|\/)web\//.test(name))
    .map((name) => sourceOf(`src/${name}`, readFileSync(join(root, 'src', name), 'utf8')))
}

/** Reads the imports of one file: static, re-exported, dynamic, and in types. */
export function sourceOf(path: string, text: string): Source {
  const specifiers = [...text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)'([^']+)'/g)].map(
    ([, specifier]) => specifier as string,
  )
  const imports = specifiers.map((specifier) =>
    specifier.startsWith('.') ? relative('.', join(dirname(path), specifier)) : specifier,
  )
  return { path, text, imports }
}

/** Product code: neither a test nor a module that only tests use. */
export const isProduct = ({ path }: Source): boolean => !/\.test\.ts$|\/(?:testing|stand-ins)\//.test(path)
