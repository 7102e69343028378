import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../../src/host/run.ts'
import { ensureBuilt, findBuilt } from '../harness/built.ts'

const version = '1.8.0'
const module = 'github.com/versity/versitygw'
const recipe = [version, module] as const

/** The program of an S3 server; built before the suites run. */
export const versitygwPath = async (): Promise<string> =>
  join(await findBuilt('versitygw', recipe), 'versitygw')

/** Builds versitygw, an S3 server, from the Go module proxy, once on a machine. */
export async function fetchVersitygw(): Promise<void> {
  await ensureBuilt('versitygw', recipe, build)
}

async function build(folder: string): Promise<void> {
  await writeFile(
    join(folder, 'go.mod'),
    `module tools/versitygw\n\ngo 1.24\n\nrequire ${module} v${version}\n`,
  )
  const settings = { CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -mod=mod', GOTOOLCHAIN: 'local' }
  const env = { ...process.env, ...settings, PATH: `${process.env['PATH'] ?? ''}:/usr/local/go/bin` }
  const argv = [
    'go',
    'build',
    '-trimpath',
    '-o',
    join(folder, 'versitygw'),
    `${module}/cmd/versitygw`,
  ] as const
  const { code, stderr } = await run(argv, { cwd: folder, env, timeoutMs: 900_000 })
  if (code === 127) throw new Error('versitygw cannot be built: Go 1.24 or later is missing')
  if (code !== 0) throw new Error(`versitygw cannot be built: ${stderr.slice(-2000)}`)
}
