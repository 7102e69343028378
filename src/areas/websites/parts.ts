import type { RowWrite, Step } from '../../core/change.ts'
import type { Lock } from '../../core/lock.ts'
import { point } from '../../core/point.ts'
import type { Websites } from './context.ts'
import type { Loaded } from './site.ts'

/** What is done with a part of a website. */
export interface PartWork {
  /** What no step shows, in a sentence each. */
  readonly details?: readonly string[]
  readonly locks?: readonly Lock[]
  readonly steps?: readonly Step[]
  readonly rows?: readonly RowWrite[]
}

/** What becomes of what a deleted website leaves behind. */
export interface SiteFate {
  readonly databases: 'keep' | 'remove'
}

/** What another area has of websites. */
export interface SiteParts {
  /** Ends with the website; its rows are written before that of the website. */
  deleted(site: Loaded, fate: SiteFate): Promise<PartWork>
  /** Stops while the website is suspended, and goes on afterwards. */
  suspended(site: Loaded, isSuspended: boolean): Promise<readonly Step[]>
  /** Goes with the website to another domain or owner; nothing to do if absent. */
  moved?(site: Loaded, next: Loaded): Promise<MovedPart>
}

/** What is done with a part of a website that moves. */
export interface MovedPart extends PartWork {
  /** True if the certificate does not cover the new domain. */
  readonly dropsCertificate?: boolean
}

/** What areas have of websites, such as crontabs. */
export const siteParts = point<SiteParts>('parts of websites')

/** Collects what all areas do when a website is deleted. */
export async function deletedParts(
  { partsOf }: Pick<Websites, 'partsOf'>,
  site: Loaded,
  fate: SiteFate,
): Promise<Required<PartWork>> {
  const works = await Promise.all(partsOf(siteParts).map((part) => part.deleted(site, fate)))
  return {
    details: works.flatMap(({ details = [] }) => details),
    locks: works.flatMap(({ locks = [] }) => locks),
    steps: works.flatMap(({ steps = [] }) => steps),
    rows: works.flatMap(({ rows = [] }) => rows),
  }
}

/** Collects what all areas do when a website is suspended or served again. */
export async function suspendedParts(
  { partsOf }: Pick<Websites, 'partsOf'>,
  site: Loaded,
  isSuspended: boolean,
): Promise<readonly Step[]> {
  return (await Promise.all(partsOf(siteParts).map((part) => part.suspended(site, isSuspended)))).flat()
}

/** Collects what all areas do when a website gets another domain or owner. */
export async function movedParts(
  { partsOf }: Pick<Websites, 'partsOf'>,
  site: Loaded,
  next: Loaded,
): Promise<Required<MovedPart>> {
  const works = await Promise.all(
    partsOf(siteParts).map(async (part) => (await part.moved?.(site, next)) ?? {}),
  )
  return {
    details: works.flatMap(({ details = [] }) => details),
    locks: works.flatMap(({ locks = [] }) => locks),
    steps: works.flatMap(({ steps = [] }) => steps),
    rows: works.flatMap(({ rows = [] }) => rows),
    dropsCertificate: works.some(({ dropsCertificate }) => dropsCertificate === true),
  }
}
