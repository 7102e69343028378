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
