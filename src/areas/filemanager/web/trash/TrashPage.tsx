import { Button, Checkbox, Group, Text } from '@mantine/core'
import { IconRestore, IconTrashX } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../../web/kit/DataTable.tsx'
import { formatBytes } from '../../../../web/kit/format.ts'
import { useListState } from '../../../../web/kit/list-state.ts'
import { Moment } from '../../../../web/kit/Moment.tsx'
import { notify } from '../../../../web/kit/notices.tsx'
import { Empty } from '../../../../web/kit/states.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { ApiError, textOf } from '../../../../web/wire.ts'
import { calls, carryOut } from '../calls.ts'
import { FilesFrame } from '../FilesFrame.tsx'
import { EntryIcon } from '../list/EntryIcon.tsx'
import { pathFrom, shown } from '../names.ts'
import { nameOf, parentOf } from '../paths.ts'
import { type TrashItem, useTrash, useTrashSize, type Whose } from '../queries.ts'
import { isNamed, type Place, usePlace } from '../whose.ts'
import { WhoseFiles } from '../WhoseFiles.tsx'

/** The trash: its entries can be restored or deleted permanently. */
export function TrashPage() {
  const place = usePlace()
  return isNamed(place) ? <Trash place={place} /> : <WhoseFiles place={place} />
}

function Trash({ place }: { readonly place: Place }) {
  const list = useListState('-deleted_at')
  const { search: _none, ...asked } = list.asked
  const trash = useTrash(place.whose, asked)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [emptying, setEmptying] = useState<'all' | 'marked'>()
  const items = trash.data?.items ?? []
  const total = trash.data?.total ?? 0
  const marked = items.filter(({ id }) => chosen.has(id))
  const toggle = (id: string) =>
    setChosen(
      (before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]),
    )
  const toggleAll = () => setChosen(new Set(marked.length === items.length ? [] : items.map(({ id }) => id)))
  const restore = async (some: readonly TrashItem[]) => {
    setChosen(new Set())
    const failures: string[] = []
    for (const { id } of some)
      await carryOut(calls.restoreTrash(place.whose, [id])).catch((error: unknown) =>
        failures.push(whyNot(error)),
      )
    const back = some.length - failures.length
    if (back > 0)
      notify(
        some.length === 1 ? `${labelOf(some[0])} is back.` : `${back} of ${some.length} entries are back.`,
      )
    for (const text of failures.slice(0, mostTold)) notify(text, true)
    if (failures.length > mostTold) notify(`${failures.length - mostTold} more could not be put back.`, true)
  }
  const empty = (
    <Button
      variant="default"
      leftSection={<IconTrashX size={16} aria-hidden />}
      disabled={total === 0}
      onClick={() => setEmptying('all')}
    >
      Empty the trash
    </Button>
  )
  const bar = (
    <MarkedBar
      marked={marked}
      isWhole={marked.length === items.length}
      onAll={toggleAll}
      onRestore={() => void restore(marked)}
      onRemove={() => setEmptying('marked')}
    />
  )
  return (
    <FilesFrame place={place} tab="trash" actions={empty}>
      <DataTable
        label="Trash"
        columns={columnsOf(chosen, toggle, (item) => void restore([item]))}
        query={trash}
        rowKey={({ id }) => id}
        list={list}
        filters={items.length > 0 && bar}
        empty={<Empty title="The trash is empty">What you delete in the files comes here first.</Empty>}
      />
      {(emptying === 'all' || (emptying === 'marked' && marked.length > 0)) && (
        <EmptyDialog
          whose={place.whose}
          items={emptying === 'all' ? 'all' : marked}
          total={total}
          onClose={() => setEmptying(undefined)}
        />
      )}
    </FilesFrame>
  )
}

const mostTold = 3

/** The reason why an entry could not be restored, with a solution. */
function whyNot(error: unknown): string {
  const isTaken = error instanceof ApiError && error.code === 'already_exists'
  return isTaken
    ? `${textOf(error).replace(/\.$/, '')}. Rename or move what stands there, then put this back.`
    : textOf(error)
}

const pathOf = ({ path, path_b64 }: TrashItem): string => pathFrom(path, path_b64)
const labelOf = (item: TrashItem | undefined): string => (item ? shown(nameOf(pathOf(item))) : '')

function columnsOf(
  chosen: ReadonlySet<string>,
  onToggle: (id: string) => void,
  onRestore: (item: TrashItem) => void,
): Column<TrashItem>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      cell: (item) => (
        <Group gap="sm" wrap="nowrap">
          <Checkbox
            size="xs"
            aria-label={`Select ${labelOf(item)}`}
            checked={chosen.has(item.id)}
            onChange={() => onToggle(item.id)}
          />
          <EntryIcon item={{ name: nameOf(pathOf(item)), type: item.type }} />
          <Text size="sm" fw={500} className="anywhere">
            {labelOf(item)}
          </Text>
        </Group>
      ),
    },
    { id: 'from', title: 'Stood in', cell: (item) => shown(parentOf(pathOf(item))) || 'Home' },
    {
      id: 'size',
      title: 'Size',
      align: 'right',
      cell: ({ type, size_bytes }) => (type === 'folder' ? '–' : formatBytes(size_bytes)),
    },
    { id: 'when', title: 'Deleted', cell: ({ deleted_at }) => <Moment time={deleted_at} /> },
    {
      id: 'do',
      title: 'Action',
      align: 'right',
      cell: (item) => (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconRestore size={15} aria-hidden />}
          onClick={() => onRestore(item)}
          aria-label={`Put back ${labelOf(item)}`}
        >
          Put back
        </Button>
      ),
    },
  ]
}

interface MarkedBarProps {
  readonly marked: readonly TrashItem[]
  readonly isWhole: boolean
  readonly onAll: () => void
  readonly onRestore: () => void
  readonly onRemove: () => void
}

function MarkedBar({ marked, isWhole, onAll, onRestore, onRemove }: MarkedBarProps) {
  return (
    <Group gap="xs">
      <Checkbox
        size="xs"
        label="Select all on this page"
        checked={isWhole}
        indeterminate={!isWhole && marked.length > 0}
        onChange={onAll}
      />
      {marked.length > 0 && (
        <Group gap="xs" role="toolbar" aria-label="Selection">
          <Text size="sm" fw={600} role="status">
            {marked.length} selected
          </Text>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRestore size={15} aria-hidden />}
            onClick={onRestore}
          >
            Put back
          </Button>
          <Button
            size="xs"
            variant="default"
            c="var(--mantine-color-error)"
            leftSection={<IconTrashX size={15} aria-hidden />}
            onClick={onRemove}
          >
            Delete for good
          </Button>
        </Group>
      )}
    </Group>
  )
}

interface EmptyDialogProps {
  readonly whose: Whose
  readonly items: readonly TrashItem[] | 'all'
  readonly total: number
  readonly onClose: () => void
}

function EmptyDialog({ whose, items, total, onClose }: EmptyDialogProps) {
  const isAll = items === 'all'
  const size = useTrashSize(whose, isAll)
  const what = isAll
    ? total === 1
      ? 'the one entry'
      : `all ${total} entries`
    : items.length === 1
      ? labelOf(items[0])
      : `${items.length} entries`
  const done = async () => {
    onClose()
    notify(isAll ? 'The trash is empty.' : `${what} was permanently deleted.`)
    await readAgain('trash')
  }
  return (
    <ChangeDialog
      title={`Permanently delete ${what}`}
      confirmLabel={isAll ? 'Empty the trash' : 'Delete permanently'}
      call={calls.emptyTrash(whose, isAll ? undefined : items.map(({ id }) => id))}
      onClose={onClose}
      onDone={done}
    >
      <Text size="sm" role="status">
        {isAll ? textOfAll(size) : textOfSome(items)}
      </Text>
    </ChangeDialog>
  )
}

function textOfAll({ data, error }: ReturnType<typeof useTrashSize>): string {
  if (data !== undefined) return `This frees about ${formatBytes(data)}.`
  return error ? `How much it frees is not known: ${textOf(error)}` : 'Adding up what it frees …'
}

function textOfSome(items: readonly TrashItem[]): string {
  const freed = formatBytes(
    items.reduce((sum, { type, size_bytes }) => sum + (type === 'folder' ? 0 : size_bytes), 0),
  )
  const hasFolder = items.some(({ type }) => type === 'folder')
  return hasFolder ? `This frees ${freed}, and what is in the folders.` : `This frees ${freed}.`
}
