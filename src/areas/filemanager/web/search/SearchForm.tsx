import { Button, Checkbox, Group, Paper, SegmentedControl, TextInput } from '@mantine/core'
import { IconPlayerStop, IconSearch } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, type MouseEvent, type Ref, useState } from 'react'
import { shown } from '../names.ts'
import { nameOf } from '../paths.ts'
import type { AskedSearch } from './asked.ts'
import classes from './search.module.css'

interface SearchFormProps {
  readonly first: AskedSearch
  readonly folder: string
  readonly isSearching: boolean
  readonly box: Ref<HTMLInputElement>
  readonly onSearch: (asked: AskedSearch) => void
  readonly onStop: () => void
  /** Moves the focus to the results. */
  readonly onDown: () => void
}

/** The form of a search. */
// oxlint-disable-next-line max-lines-per-function -- one form
export function SearchForm({ first, folder, isSearching, box, onSearch, onStop, onDown }: SearchFormProps) {
  const [asked, setAsked] = useState(first)
  const [before, setBefore] = useState(first)
  if (before !== first) {
    setBefore(first)
    setAsked(first)
  }
  const set = (change: Partial<AskedSearch>) => setAsked({ ...asked, ...change })
  const isNames = asked.where === 'name'
  const begin = (event: FormEvent) => {
    event.preventDefault()
    if (asked.text.trim() !== '') onSearch({ ...asked, text: asked.text.trim() })
  }
  const press = (event: MouseEvent) => {
    if (!isSearching) return
    event.preventDefault() // by the end of the click it is a submit button
    onStop()
  }
  const type = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isSearching) onStop()
    else if (
      event.key === 'ArrowDown' &&
      event.target instanceof HTMLInputElement &&
      event.target.type === 'search'
    )
      onDown()
    else return
    event.preventDefault()
  }
  return (
    <Paper withBorder radius="lg" p="md" onKeyDown={type}>
      <form onSubmit={begin} role="search" aria-label="Search the files">
        <Group gap="sm" align="flex-end">
          <TextInput
            ref={box}
            className={classes.text}
            label="Search for"
            type="search"
            maxLength={200}
            value={asked.text}
            onChange={(event) => set({ text: event.currentTarget.value })}
            leftSection={<IconSearch size={16} aria-hidden />}
            placeholder={isNames && asked.glob ? '*.html' : undefined}
          />
          <SegmentedControl
            aria-label="Search in"
            data={[
              { value: 'name', label: 'Names' },
              { value: 'content', label: 'Contents' },
            ]}
            value={asked.where}
            onChange={(value) => set({ where: value === 'content' ? 'content' : 'name' })}
          />
          {folder !== '' && (
            <SegmentedControl
              aria-label="Where"
              data={[
                { value: 'here', label: `In ${shown(nameOf(folder))}` },
                { value: 'home', label: 'Whole home' },
              ]}
              value={asked.isHere ? 'here' : 'home'}
              onChange={(value) => set({ isHere: value === 'here' })}
            />
          )}
          <Button
            type={isSearching ? 'button' : 'submit'}
            variant={isSearching ? 'default' : 'filled'}
            leftSection={isSearching && <IconPlayerStop size={16} aria-hidden />}
            disabled={!isSearching && asked.text.trim() === ''}
            onClick={press}
          >
            {isSearching ? 'Stop' : 'Search'}
          </Button>
        </Group>
        <Group gap="lg" mt="sm" mih={30}>
          <Checkbox
            size="xs"
            label="Match case"
            checked={asked.matchCase}
            onChange={(event) => set({ matchCase: event.currentTarget.checked })}
          />
          {isNames && (
            <Checkbox
              size="xs"
              label="Pattern for the whole name: * ? [a-z]"
              checked={asked.glob}
              onChange={(event) => set({ glob: event.currentTarget.checked })}
            />
          )}
          {!isNames && (
            <TextInput
              size="xs"
              w={220}
              aria-label="Only in files named"
              placeholder="Only in files such as *.php"
              maxLength={100}
              value={asked.files}
              onChange={(event) => set({ files: event.currentTarget.value })}
            />
          )}
        </Group>
      </form>
    </Paper>
  )
}
