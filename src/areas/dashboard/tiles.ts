import type { Caller } from '../../core/caller.ts'
import type { Log } from '../../core/endpoint.ts'
import type { Guard } from '../../core/guard.ts'
import { point } from '../../core/point.ts'
import { Problem } from '../../core/problem.ts'
import type * as model from './model.ts'
import { within } from './within.ts'

/** What a tile is read for. */
export interface Reading {
  readonly caller: Caller
  readonly now: Date
}

/** One line of a tile; only its title is needed. */
type Item = Partial<model.TileItem> & Pick<model.TileItem, 'title'>

export interface TileContent extends Pick<model.Tile, 'state' | 'summary'> {
  /** The most important first; at most ten are shown. */
  readonly items?: readonly Item[]
}

/** The part of the dashboard that an area contributes: its state in one sentence, and what needs a look. */
export interface Tile extends Pick<model.Tile, 'name' | 'title' | 'link'> {
  /** Who sees it; the dashboard as a whole needs a permission of its own. */
  readonly guard: Guard
  /** Returns the content for this caller; undefined where there is nothing to show, such as for a program that is not installed. */
  read(reading: Reading): Promise<TileContent | undefined>
}

/** The tiles of the dashboard, in the order of the areas. */
export const tiles = point<Tile>('dashboard tiles')

interface Limits {
  readonly log: Pick<Log, 'error'>
  readonly limitMs?: number
}

/** Reads a tile; one that fails or takes too long shows why, and the others are not affected. */
export async function readTile(
  { name, title, link, read }: Tile,
  reading: Reading,
  { log, limitMs }: Limits,
): Promise<model.Tile | undefined> {
  const named = { name, title, link }
  try {
    const content = await within(read(reading), limitMs)
    if (content === undefined) return undefined
    const { state, summary, items = [] } = content
    return {
      ...named,
      state,
      summary: line(summary, 300),
      items: items.slice(0, 10).map(shownItem),
      error: null,
    }
  } catch (error) {
    if (!(error instanceof Problem)) log.error({ err: error, tile: name }, 'reading a tile failed')
    const reason =
      error instanceof Problem ? error.message : 'Reading it failed. The log of the panel says why.'
    return { ...named, state: 'failing', summary: '', items: [], error: reason.slice(0, 2000) }
  }
}

const shownItem = ({ title, detail = '', link = null, state = null, time = null }: Item): model.TileItem => ({
  title: line(title, 300),
  detail: line(detail, 500),
  link,
  state,
  time,
})

/** Messages of programs may have several lines. */
const line = (text: string, length: number): string =>
  text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, length)
