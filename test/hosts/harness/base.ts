import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { basePackages } from '../images.ts'
import { finishTree } from './base-tree.ts'
import { ensureBuilt } from './built.ts'
import { installInTree, keepPackages, outerOrigins, release, stepTimeoutMs } from './install-packages.ts'
import { installNeeds, must, proxies } from './outer.ts'

/** The tree that every image is made on, and the packages that it was made from. */
export interface BaseTree {
  readonly folder: string
  readonly rootPath: string
  readonly packagesPath: string
}

const builderVersion = 2

let found: Promise<BaseTree> | undefined

/** Gives the base of all images, building it first when this package list was not built here yet. */
export function ensureBase(): Promise<BaseTree> {
  found ??= findOrBuild()
  return found
}

async function findOrBuild(): Promise<BaseTree> {
  await installNeeds()
  const packages = basePackages()
  const recipe = [release, process.arch, builderVersion, packages]
  const folder = await ensureBuilt('base', recipe, (partial) => build(partial, packages))
  return { folder, rootPath: join(folder, 'root'), packagesPath: join(folder, 'packages') }
}

async function build(folder: string, packages: readonly string[]): Promise<void> {
  const root = join(folder, 'root')
  const packagesPath = join(folder, 'packages')
  await mkdir(packagesPath)
  const origins = await outerOrigins()
  const include = '--include=ca-certificates'
  const mirror = origins.find((origin) => origin.suite === release)?.uri
  if (mirror === undefined)
    throw new Error(`apt on this machine has no source for Debian ${release}, of which test hosts are made`)
  await must([...apart, 'debootstrap', '--variant=minbase', include, release, root, mirror], {
    timeoutMs: stepTimeoutMs,
    env: proxies(),
  })
  await installInTree(root, packages, origins)
  await keepPackages(root, packagesPath)
  await finishTree(root, packagesPath)
}

// debootstrap mounts /proc and /sys in the tree: in namespaces of its own, so that no mount outlives it and nothing sets the clock.
const apart = [
  'setpriv',
  '--pdeathsig',
  'KILL',
  '--bounding-set=-sys_time',
  '--',
  'unshare',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
  '--',
] as const
