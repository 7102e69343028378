/** The parts of the name of an image. */
export interface ImageReference {
  /** With its registry, if the name has one. */
  readonly repository: string
  /** `latest` where the name has neither tag nor digest. */
  readonly tag: string
  readonly isDigest: boolean
}

const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const domain = '(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::[0-9]{1,5})?)'
const pattern = new RegExp(
  `^((?:${domain}/)?${component}(?:/${component})*)(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$`,
)

/** Reads the name of an image by the grammar of the engine; undefined if it is none. */
export function parseReference(text: string): ImageReference | undefined {
  const [, repository, tag, digest] = pattern.exec(text) ?? []
  if (repository === undefined) return undefined
  return { repository, tag: digest ?? tag ?? 'latest', isDigest: digest !== undefined }
}

/** The registry of Docker: that of every image whose name begins with no host. */
export const dockerHub = 'docker.io'
const otherNamesOfHub = new Set(['index.docker.io', 'registry-1.docker.io'])

/** Names the registry that an image is pulled from, in lower case and with its port if it has one. */
export function registryOf({ repository }: Pick<ImageReference, 'repository'>): string {
  const [first = '', ...rest] = repository.split('/')
  // by the rule of the engine, as `team/app` is a repository of the registry of Docker
  const isHost = rest.length > 0 && (/[.:A-Z]/.test(first) || first === 'localhost')
  return isHost ? (parseRegistry(first) ?? dockerHub) : dockerHub
}

/** Reads the name of a registry, in lower case; undefined if no image can name it. */
export function parseRegistry(text: string): string | undefined {
  const name = text.toLowerCase()
  const [, host = '', port = '443'] = /^([a-z0-9.-]+)(?::([0-9]{1,5}))?$/.exec(name) ?? []
  if (!host.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(label))) return undefined
  if (Number(port) < 1 || Number(port) > 65_535) return undefined
  if (!/[.:]/.test(name) && host !== 'localhost') return undefined
  return otherNamesOfHub.has(name) ? dockerHub : name
}
