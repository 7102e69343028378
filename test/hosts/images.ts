import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as tools from '../../src/tools/index.ts'
import { foreign, further } from './image-packages.ts'

/** The tools that every host has, because most suites need them or they conflict with nothing. */
const inBase = [
  'bubblewrap',
  'httping',
  'nginx',
  'openssh',
  'ping',
  'sevenZip',
  'sudo',
  'tcpdump',
  'traceroute',
  'xz',
] as const satisfies readonly (keyof typeof tools)[]

/**
 * The image of a host: the base, or the base with the packages of one tool, which may conflict with those of
 * another.
 */
export type ImageName = 'base' | Exclude<keyof typeof tools, (typeof inBase)[number]>

const listed: Readonly<Record<keyof typeof tools, { readonly packages: readonly string[] }>> = tools
const folder = fileURLToPath(new URL('.', import.meta.url))

/** Lists the Debian packages of the base: those of its tools, and those of `base-packages.txt`. */
export function basePackages(): readonly string[] {
  const lines = readFileSync(`${folder}base-packages.txt`, 'utf8').split('\n')
  const ofHarness = lines.map((line) => line.replace(/#.*/, '').trim()).filter((line) => line !== '')
  return [...new Set([...ofHarness, ...inBase.flatMap((name) => listed[name].packages)])].toSorted()
}

/** Lists the Debian packages that an image has besides the base. */
export function packagesOf(name: ImageName): readonly string[] {
  if (name === 'base') return []
  return [...(further[name] ?? []), ...(foreign.has(name) ? [] : listed[name].packages)]
}

/** Lists the images that suites name, and the base. */
export function imagesInUse(): readonly ImageName[] {
  const texts = globSync('*.test.ts', { cwd: folder }).map((file) => readFileSync(`${folder}${file}`, 'utf8'))
  const named = new Set(
    texts.flatMap((text) => [...text.matchAll(/\bimage: '(\w+)'/g)].map(([, name]) => name)),
  )
  const isNamed = (name: string): name is ImageName => named.has(name)
  return ['base', ...Object.keys(listed).filter(isNamed)]
}
