import { Group, Loader, Paper, Stack, Text } from '@mantine/core'
import type { KeyboardEvent, Ref } from 'react'
import { RowLink } from '../../../../web/kit/RowLink.tsx'
import { Empty, Failure, Loading } from '../../../../web/kit/states.tsx'
import { EntryIcon } from '../list/EntryIcon.tsx'
import { rowAfter } from '../list/keys.ts'
import { shown } from '../names.ts'
import { nameOf, parentOf } from '../paths.ts'
import type { Found } from '../queries.ts'
import type { Place } from '../whose.ts'
import type { AskedSearch } from './asked.ts'
import type { Finding } from './finding.ts'
import { textOfFinding } from './result-text.ts'
import classes from './search.module.css'

interface ResultsProps {
  readonly place: Place
  readonly asked: AskedSearch
  readonly finding: Finding
  readonly list: Ref<HTMLUListElement>
  readonly onAgain: () => void
  /** Moves the focus back to the search field. */
  readonly onUp: () => void
}

const rowsAScreen = 10

/** The results so far and the outcome of the search; arrow keys move between results. */
export function Results({ place, asked, finding, list, onAgain, onUp }: ResultsProps) {
  const { items, state, error } = finding
  if (state === 'none')
    return <Empty title="No search yet">Links are not followed, and the trash is left out.</Empty>
  if (state === 'searching' && items.length === 0) return <Waiting />
  if (state === 'ended' && items.length === 0)
    return (
      <Empty title="No results">
        {asked.where === 'name' ? 'Only names were searched: choose Contents to search file contents. ' : ''}
        Try another word
        {asked.isHere && place.path !== '' ? ', or search the whole home' : ''}.
      </Empty>
    )
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-found] a')]
    const at = links.findIndex((link) => link === document.activeElement)
    const isLeaving = event.key === 'Escape' || (event.key === 'ArrowUp' && at === 0)
    const to = at < 0 || isLeaving ? undefined : rowAfter(event.key, at, links.length, rowsAScreen)
    if (!isLeaving && to === undefined) return
    event.preventDefault()
    if (isLeaving) onUp()
    else if (to !== undefined) links[to]?.focus()
  }
  return (
    <Stack gap={8} mt="md">
      <Group gap={8} mih={22}>
        {state === 'searching' && <Loader size={14} aria-hidden />}
        <Text size="sm" c="dimmed" role="status">
          {textOfFinding(finding, asked.where)}
        </Text>
      </Group>
      {state === 'failed' && <Failure error={error} onRetry={onAgain} />}
      {items.length > 0 && (
        <Paper
          withBorder
          radius="lg"
          component="ul"
          ref={list}
          className={classes.list}
          aria-label="Results"
          onKeyDown={move}
        >
          {items.map((item, index) => (
            <li key={index} className={classes.row}>
              <FoundRow item={item} place={place} asked={asked} />
            </li>
          ))}
        </Paper>
      )}
    </Stack>
  )
}

function Waiting() {
  return (
    <Stack gap={8} mt="md">
      <Text size="sm" c="dimmed" role="status">
        Searching …
      </Text>
      <Loading rows={4} />
    </Stack>
  )
}

function FoundRow({
  item,
  place,
  asked,
}: {
  readonly item: Found
  readonly place: Place
  readonly asked: AskedSearch
}) {
  const folder = parentOf(item.path)
  const to = item.type === 'file' ? '/files/edit' : '/files'
  const target = item.type === 'file' || item.type === 'folder' ? item.path : folder
  const name = shown(nameOf(item.path))
  return (
    <>
      <EntryIcon item={{ name: nameOf(item.path), type: item.type }} />
      <div className={classes.text}>
        <span data-found>
          <RowLink
            to={to}
            search={{ ...place.at(target), ...(item.line !== undefined && { line: item.line }) }}
            className={classes.name}
          >
            {asked.where === 'name' && !asked.glob ? <Marked line={name} asked={asked} /> : name}
            {item.line !== undefined && <span className={classes.line}>:{item.line}</span>}
          </RowLink>
        </span>
        {item.text !== undefined && (
          <code className={classes.excerpt}>
            <Marked line={item.text} asked={asked} />
          </code>
        )}
        <RowLink to="/files" search={place.at(folder)} className={classes.folder}>
          {folder === '' ? 'Home' : shown(folder)}
        </RowLink>
      </div>
    </>
  )
}

const shownBefore = 80

/** A line with its match highlighted; a long line starts shortly before the match. */
function Marked({
  line,
  asked: { text, where, matchCase },
}: {
  readonly line: string
  readonly asked: AskedSearch
}) {
  const at = matchCase ? line.indexOf(text) : line.toLowerCase().indexOf(text.toLowerCase())
  if (at < 0) return line
  return (
    <>
      {line.slice(where === 'name' ? 0 : Math.max(0, at - shownBefore), at)}
      <mark className={classes.mark}>{line.slice(at, at + text.length)}</mark>
      {line.slice(at + text.length)}
    </>
  )
}
