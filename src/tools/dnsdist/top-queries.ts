import type { DnsdistProgram } from './program.ts'

/** A name and how often it was asked for. */
interface QueriedName {
  /** In lower case, without a final dot; special characters as `\\DDD`. */
  readonly name: string
  readonly queries: number
}

const mostNames = 200

/** Reads the names that occur most in the last queries that dnsdist remembers; undefined if its console cannot be reached. */
export async function readTopQueries({
  command,
}: Pick<DnsdistProgram, 'command'>): Promise<readonly QueriedName[] | undefined> {
  const printed = await command(`topQueries(${mostNames})`)
  return printed === undefined ? undefined : topQueriesIn(printed)
}

/** Parses rows of rank, name, count and share; the last one, `Rest`, is no name, as it has no final dot. */
export function topQueriesIn(printed: string): readonly QueriedName[] {
  return [...printed.matchAll(/^ *\d+ +(\S+)\. +(\d+) +[\d.]+%$/gm)].map(([, name = '', count]) => ({
    name: name.toLowerCase(),
    queries: Number(count),
  }))
}
