import type { Host } from '../../host/index.ts'

type KernelHost = Pick<Host, 'files' | 'machine'>

const numeric = new Intl.Collator('en', { numeric: true })

/**
 * Returns the package of a kernel that was installed since the host was started, or that is newer than the one
 * that runs; undefined if there is none. Debian alone tells nobody of it. A container runs the kernel of its host:
 * the modules of that one are not here.
 */
export async function newerKernel({ files, machine }: KernelHost): Promise<string | undefined> {
  const { kernel, uptime_seconds: uptime } = machine.kernel()
  const running = kernel.replace(/^Linux /, '')
  if ((await files.facts(`/lib/modules/${running}`)) === undefined) return undefined
  const startedAt = Date.now() - uptime * 1000
  const replacedAt = await files.changedAt(`/boot/vmlinuz-${running}`)
  if (replacedAt !== undefined && replacedAt.getTime() > startedAt) return `linux-image-${running}`
  const installed = (await files.list('/boot')).flatMap((name) => /^vmlinuz-(.+)$/.exec(name)?.[1] ?? [])
  const newest = installed
    .filter((version) => flavourOf(version) === flavourOf(running))
    .toSorted(numeric.compare)
    .at(-1)
  if (newest === undefined || numeric.compare(newest, running) <= 0) return undefined
  return `linux-image-${newest}`
}

/** `amd64` of 6.1.0-25-amd64: kernels of other flavours are started only by who chooses them. */
const flavourOf = (version: string): string => version.replace(/^[\d.]+(?:-\d+)?(?:\+[^-]+)?-?/, '')
