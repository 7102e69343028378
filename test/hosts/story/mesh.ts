import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../../src/host/run.ts'
import { version as serverVersion } from '../../../src/tools/headscale/layout.ts'
import { innerDirectory, version as clientVersion } from '../../../src/tools/tailscale/layout.ts'
import { architectureHere } from '../../../src/tools/tailscale/program.ts'
import { meshLayout } from '../../support/mesh.ts'
import type { Layout } from '../../support/phpmyadmin.ts'
import { ensureBuilt, findBuilt } from '../harness/built.ts'
import { must } from '../harness/outer.ts'

const modules = [
  { module: 'github.com/juanfont/headscale', version: serverVersion, programs: ['headscale'] },
  { module: 'tailscale.com', version: clientVersion, programs: ['tailscaled', 'tailscale'] },
] as const
const recipe = [modules] as const

/** The folder with `headscale`, `tailscaled` and `tailscale`; built before the suites run. */
export const meshPrograms = (): Promise<string> => findBuilt('mesh', recipe)

/** What the publishers of the real programs serve. */
export async function publishedMesh(): Promise<Layout> {
  const folder = await meshPrograms()
  return meshLayout(await readFile(join(folder, 'headscale')), await readFile(join(folder, 'tailscale.tgz')))
}

/** Builds headscale and tailscale from the Go module proxy, once on a machine. */
export async function fetchMesh(): Promise<void> {
  await ensureBuilt('mesh', recipe, build)
}

async function build(folder: string): Promise<void> {
  for (const { module, version, programs } of modules) {
    await writeFile(join(folder, 'go.mod'), `module tools/mesh\n\ngo 1.26\n\nrequire ${module} v${version}\n`)
    for (const name of programs) await buildProgram(folder, `${module}/cmd/${name}`, name)
  }
  const inner = innerDirectory(architectureHere())
  await must(['mkdir', '--', join(folder, inner)])
  await must(['cp', '--', join(folder, 'tailscale'), join(folder, 'tailscaled'), join(folder, inner)])
  await must(['tar', '--format=ustar', '-czf', join(folder, 'tailscale.tgz'), '-C', folder, inner])
}

async function buildProgram(folder: string, program: string, name: string): Promise<void> {
  const settings = { CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -mod=mod', GOTOOLCHAIN: 'local' }
  const env = { ...process.env, ...settings, PATH: `${process.env['PATH'] ?? ''}:/usr/local/go/bin` }
  const out = join(folder, name)
  const { code, stderr } = await run(
    ['go', 'build', '-p', '2', '-trimpath', '-ldflags=-s -w', '-o', out, program],
    { cwd: folder, env, timeoutMs: 1_500_000 },
  )
  if (code === 127) throw new Error(`${name} cannot be built: Go 1.26 or later is missing`)
  if (code !== 0) throw new Error(`${name} cannot be built: ${stderr.slice(-2000)}`)
}
