import type { Script } from './scripted-run.ts'

/** A package of a scripted host whose lists may have a newer version. */
export interface ScriptedPackage {
  installed: string
  readonly candidate: string
  /** As apt shows it: `Debian-Security:12/oldstable-security`. */
  readonly source?: string
  isHeld?: boolean
  /** True if apt would remove packages for it. */
  readonly isKeptBack?: boolean
  /** The message of its maintainer script, which fails. */
  failure?: string
  isUnfinished?: boolean
  /** True if it was installed as a dependency; apt forgets it of a package that is named. */
  isAutomatic?: boolean
}

/** Debian packages with updates, as apt-get and dpkg-query report them; what apt-get updates shows in the map. */
export function scriptUpdates(packages: Map<string, ScriptedPackage>): Script {
  return (argv) => {
    const [program, first] = argv
    if (program === 'apt-mark') return mark(packages, argv.slice(1))
    if (program === 'dpkg-query' && argv.at(-1)?.startsWith('--showformat='))
      return { stdout: linesOf([...packages].map(([name, each]) => `${stateOf(each)} ${name}`)) }
    if (program === 'dpkg') return finish(packages)
    if (program !== 'apt-get' || first === '--version') return undefined
    if (argv.includes('--simulate')) return { stdout: simulated(packages, argv.includes('--ignore-hold')) }
    if (argv.at(-1) === 'update') return { stdout: 'Hit:1 file:/opt/packages ./ InRelease\n' }
    if (!argv.includes('--only-upgrade')) return undefined
    return argv.includes('--download-only') ? {} : upgrade(packages, argv.slice(argv.indexOf('--') + 1))
  }
}

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
const stateOf = ({ isUnfinished }: ScriptedPackage): string =>
  isUnfinished ? 'half-configured' : 'installed'

function mark(packages: ReadonlyMap<string, ScriptedPackage>, [verb, ...args]: readonly string[]) {
  const namesOf = (isListed: (each: ScriptedPackage) => boolean | undefined) => ({
    stdout: linesOf([...packages].flatMap(([name, each]) => (isListed(each) ? [name] : []))),
  })
  if (verb === 'showhold') return namesOf(({ isHeld }) => isHeld)
  if (verb === 'showauto') return namesOf(({ isAutomatic }) => isAutomatic)
  for (const name of args) Object.assign(packages.get(name) ?? {}, { isAutomatic: true })
  return {}
}

function simulated(packages: ReadonlyMap<string, ScriptedPackage>, isWhole: boolean): string {
  const pending = [...packages].filter(
    ([, { installed, candidate, isHeld, isKeptBack }]) =>
      installed !== candidate && (isWhole || !(isHeld || isKeptBack)),
  )
  return linesOf(
    pending.map(
      ([name, { installed, candidate, source = 'Debian:12.15/oldstable' }]) =>
        `Inst ${name} [${installed}] (${candidate} ${source} [amd64])`,
    ),
  )
}

function upgrade(packages: ReadonlyMap<string, ScriptedPackage>, names: readonly string[]) {
  for (const name of names) {
    const each = packages.get(name)!
    Object.assign(each, {
      installed: each.candidate,
      isUnfinished: each.failure !== undefined,
      isAutomatic: false,
    })
  }
  return finish(packages)
}

function finish(packages: ReadonlyMap<string, ScriptedPackage>) {
  for (const each of packages.values()) {
    if (each.isUnfinished && each.failure !== undefined) return { code: 100, stderr: each.failure }
    each.isUnfinished = false
  }
  return {}
}
