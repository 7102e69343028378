import { link, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ImageName, imagesInUse, packagesOf } from '../images.ts'
import { ensureBase } from './base.ts'
import type { BaseTree } from './base.ts'
import { finishTree } from './base-tree.ts'
import { ensureBuilt } from './built.ts'
import { installInTree, keepPackages, outerOrigins } from './install-packages.ts'
import { must } from './outer.ts'
import { unmountBelow } from './test-run.ts'

/** The image of which hosts are clones. */
export interface Image {
  /** Trees, the topmost first, as overlayfs takes them. */
  readonly layers: readonly string[]
  /** The .deb files of all that is installed in it. */
  readonly packagesPath: string
}

const builderVersion = 1
const found = new Map<ImageName, Promise<Image>>()

/** Gives an image, building it and the base first where they are missing. */
export function ensureImage(name: ImageName): Promise<Image> {
  const image = found.get(name) ?? findOrBuild(name)
  found.set(name, image)
  return image
}

/** Builds the images that suites use, where they are missing. */
export async function ensureImages(): Promise<void> {
  for (const name of imagesInUse()) await ensureImage(name)
}

async function findOrBuild(name: ImageName): Promise<Image> {
  const base = await ensureBase()
  const packages = packagesOf(name)
  if (packages.length === 0) return { layers: [base.rootPath], packagesPath: base.packagesPath }
  const recipe = [base.folder, builderVersion, packages]
  const folder = await ensureBuilt(`image-${name}`, recipe, (partial) => build(partial, base, packages))
  return { layers: [join(folder, 'layer'), base.rootPath], packagesPath: join(folder, 'packages') }
}

/** Installs the packages in a clone of the base; the files that this writes are the layer. */
async function build(folder: string, base: BaseTree, packages: readonly string[]): Promise<void> {
  const [layer, work, root, packagesPath] = ['layer', 'work', 'root', 'packages'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  for (const path of [layer, work, root, packagesPath]) await mkdir(path)
  const options = `lowerdir=${base.rootPath},upperdir=${layer},workdir=${work},volatile`
  await must(['mount', '-t', 'overlay', 'overlay', '-o', options, root])
  try {
    await installInTree(root, packages, await outerOrigins())
    for (const name of await readdir(base.packagesPath))
      if (name.endsWith('.deb')) await link(join(base.packagesPath, name), join(packagesPath, name))
    await keepPackages(root, packagesPath)
    await finishTree(root, packagesPath)
  } finally {
    await unmountBelow(root)
  }
  await rm(root, { recursive: true })
  await rm(work, { recursive: true })
}
