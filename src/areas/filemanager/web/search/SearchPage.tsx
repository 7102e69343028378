import { Button, Group, Paper, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { RowLink } from '../../../../web/kit/RowLink.tsx'
import { Empty, Failure, Loading } from '../../../../web/kit/states.tsx'
import { FilesFrame } from '../FilesFrame.tsx'
import { EntryIcon } from '../list/EntryIcon.tsx'
import { shown } from '../names.ts'
import { nameOf, parentOf } from '../paths.ts'
import { type Found, useSearchFiles } from '../queries.ts'
import { isNamed, type Place, usePlace } from '../whose.ts'
import { WhoseFiles } from '../WhoseFiles.tsx'
import classes from './search.module.css'

/** Finds files of a home by name, or lines by what they say. */
export function SearchPage() {
  const place = usePlace()
  return isNamed(place) ? <Search place={place} /> : <WhoseFiles place={place} />
}

type In = 'name' | 'content'

interface AskedSearch {
  readonly text: string
  readonly where: In
  readonly path: string
}

function Search({ place }: { readonly place: Place }) {
  const [text, setText] = useState('')
  const [where, setWhere] = useState<In>('name')
  const [isHere, setHere] = useState(place.path !== '')
  const [asked, setAsked] = useState<AskedSearch>()
  const path = isHere ? place.path : ''
  const found = useSearchFiles(place.whose, asked)
  const begin = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') setAsked({ text: text.trim(), where, path })
  }
  return (
    <FilesFrame place={place} tab="search">
      <Paper withBorder radius="lg" p="md">
        <form onSubmit={begin} role="search" aria-label="Search the files">
          <Group gap="sm" align="flex-end">
            <TextInput
              className={classes.text}
              label="Search for"
              type="search"
              maxLength={200}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              leftSection={<IconSearch size={16} aria-hidden />}
            />
            <SegmentedControl
              aria-label="What is searched"
              data={[
                { value: 'name', label: 'Names' },
                { value: 'content', label: 'Contents' },
              ]}
              value={where}
              onChange={(value) => setWhere(value === 'content' ? 'content' : 'name')}
            />
            {place.path !== '' && (
              <SegmentedControl
                aria-label="Where"
                data={[
                  { value: 'here', label: `In ${shown(nameOf(place.path))}` },
                  { value: 'home', label: 'Whole home' },
                ]}
                value={isHere ? 'here' : 'home'}
                onChange={(value) => setHere(value === 'here')}
              />
            )}
            {found.isFetching ? (
              <Button variant="default" onClick={() => setAsked(undefined)}>
                Stop
              </Button>
            ) : (
              <Button type="submit" disabled={text.trim() === ''}>
                Search
              </Button>
            )}
          </Group>
        </form>
      </Paper>
      <Results place={place} asked={asked} found={found} />
    </FilesFrame>
  )
}

interface ResultsProps {
  readonly place: Place
  readonly asked: AskedSearch | undefined
  readonly found: ReturnType<typeof useSearchFiles>
}

function Results({ place, asked, found }: ResultsProps) {
  if (asked === undefined)
    return <Empty title="Nothing is searched yet">Letters match in either case. Links are not followed, and the trash is left out.</Empty>
  if (found.error) return <Failure error={found.error} onRetry={() => void found.refetch()} />
  if (found.data === undefined) return <Loading rows={5} />
  const { items, is_cut: isCut } = found.data
  if (items.length === 0) return <Empty title="Nothing was found">Try another word, or search the whole home.</Empty>
  return (
    <Stack gap={8} mt="md">
      <Text size="sm" c="dimmed" role="status">
        {items.length} {asked.where === 'name' ? 'entries' : 'lines'}
        {isCut && ', and more: narrow the search to see the others'}
      </Text>
      <Paper withBorder radius="lg" component="ul" className={classes.list} aria-label="What was found">
        {items.map((item) => (
          <li key={`${item.path} ${item.line ?? ''}`} className={classes.row}>
            <FoundRow item={item} place={place} text={asked.text} />
          </li>
        ))}
      </Paper>
    </Stack>
  )
}

function FoundRow({ item, place, text }: { readonly item: Found; readonly place: Place; readonly text: string }) {
  const folder = parentOf(item.path)
  const to = item.type === 'file' ? '/files/edit' : '/files'
  const target = item.type === 'file' || item.type === 'folder' ? item.path : folder
  return (
    <>
      <EntryIcon item={{ name: nameOf(item.path), type: item.type }} />
      <div className={classes.words}>
        <RowLink to={to} search={{ ...place.at(target), ...(item.line !== undefined && { line: item.line }) }} className={classes.name}>
          {shown(nameOf(item.path))}
          {item.line !== undefined && <span className={classes.line}>:{item.line}</span>}
        </RowLink>
        {item.text !== undefined && (
          <code className={classes.excerpt}>
            <Marked line={item.text} text={text} />
          </code>
        )}
        <RowLink to="/files" search={place.at(folder)} className={classes.folder}>
          {folder === '' ? 'Home' : shown(folder)}
        </RowLink>
      </div>
    </>
  )
}

function Marked({ line, text }: { readonly line: string; readonly text: string }) {
  const at = line.toLowerCase().indexOf(text.toLowerCase())
  if (at < 0) return line
  return (
    <>
      {line.slice(Math.max(0, at - 80), at)}
      <mark className={classes.mark}>{line.slice(at, at + text.length)}</mark>
      {line.slice(at + text.length)}
    </>
  )
}
