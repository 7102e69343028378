// npm run complete-lock: adds to package-lock.json the optional packages of other platforms that npm left out. npm drops one
// that its registry does not serve, and "npm ci" then refuses the lock for naming too little. Run after "npm install".
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const file = fileURLToPath(new URL('../package-lock.json', import.meta.url))

interface Lock {
  readonly packages: Record<
    string,
    { readonly dev?: boolean; readonly optionalDependencies?: Readonly<Record<string, string>> }
  >
}

/**
 * Lists the optional packages that a locked package needs and the lock lacks, as `path`, `version` and
 * platform.
 */
export function missingFrom(lock: Lock) {
  const wanted = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies).map(([name, version]) => ({ path, name, version })),
  )
  return wanted
    .filter(
      ({ path, name }) =>
        !lock.packages[`node_modules/${name}`] && !lock.packages[`${path}/node_modules/${name}`],
    )
    .filter(({ version }) => /^\d+\.\d+\.\d+[\w.-]*$/.test(version))
    .map(({ path, name, version }) => ({
      name,
      version,
      isDev: lock.packages[path]?.dev === true,
      platform: platformOf(name),
    }))
}

const systems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'aix',
]
const processors = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
  'mips64el',
]

// Such packages are named for where they run: …-linux-x64-gnu, …/win32-arm64, …-wasm32-wasi.
function platformOf(name: string) {
  const same: Readonly<Record<string, string>> = { windows: 'win32', ppc64le: 'ppc64' }
  const parts = new Set((name.split('/').at(-1) ?? '').split('-').map((word) => same[word] ?? word))
  const os = systems.filter((system) => parts.has(system))
  const cpu = processors.filter((processor) => parts.has(processor))
  const libc = parts.has('musl') ? ['musl'] : parts.has('gnu') ? ['glibc'] : []
  return {
    ...(cpu.length > 0 && { cpu }),
    ...(os.length > 0 && { os }),
    ...(os.includes('linux') && libc.length > 0 && { libc }),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, object> }
  const missing = missingFrom(lock)
  for (const { name, version, isDev, platform } of missing)
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platform,
      ...(isDev && { dev: true }),
      optional: true,
    }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  process.stdout.write(`${missing.length} optional packages of other platforms added\n`)
}
