import { point } from '../../core/point.ts'

/** A kind of notification, such as `job_failed`, which users choose by its title. */
export interface NoticeKind {
  readonly name: string
  readonly title: string
}

/** What happened, or what is the case. */
export interface Notice {
  readonly kind: string
  /** The identity of the event: one that was seen is not raised again. */
  readonly key: string
  /** Unread notifications of one group are counted in one row. */
  readonly group: string
  /** True for a state: once the source no longer returns it, it may be raised again. */
  readonly lasts?: true
  /** The user whom it concerns, by id; otherwise all superusers. */
  readonly to: number | 'superusers'
  readonly title: string
  readonly message: string
  /** A path of the panel. */
  readonly link: string
}

/** What an area tells users of. */
export interface NoticeSource {
  readonly name: string
  readonly kinds: readonly NoticeKind[]
  /** When it is read: after one of these tables was written, or every so many seconds. */
  readonly after: readonly string[] | { readonly seconds: number }
  /** Returns what happened after a time, and what is the case now. */
  read(since: Date): Promise<readonly Notice[]>
}

/** The sources of notifications, in the order of the areas. */
export const noticed = point<NoticeSource>('notifications')
