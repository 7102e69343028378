import type { Names } from './names.ts'

/** The page of a new area over a table: a list with dialogs that create, change and delete. */
export const rowsPages = (names: Names): readonly (readonly [string, string])[] => [
  ['web/pages.ts', pagesFile(names)],
  ['web/queries.ts', queriesFile(names)],
  [`web/${names.pascal}Page.tsx`, pageFile(names)],
  ['web/Dialogs.tsx', dialogsFile(names)],
]

/** Where a new area has its page, and its icon in the menu. */
export const pagesFile = ({
  kebab,
  pascal,
}: Names): string => `import { IconNotes } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconNotes,
  byPath: { '/${kebab}': async () => (await import('./${pascal}Page.tsx')).${pascal}Page },
}
`

const queriesFile = ({
  kebab,
  camel,
  pascal,
}: Names): string => `import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Query } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import type { ${pascal}Draft } from '../model.ts'
import { ${camel} } from './api.ts'

/** GET /${kebab} */
export const use${pascal} = (asked: Query) =>
  useQuery({
    queryKey: ['${kebab}', asked],
    queryFn: ({ signal }) => run(${camel}.list${pascal}({ query: asked }), signal),
    placeholderData: keepPreviousData,
  })

/** POST /${kebab} */
export const add = (body: ${pascal}Draft) => run(${camel}.add${pascal}({ body })).finally(() => readAgain('${kebab}'))
`

const pageFile = ({ pascal, title }: Names): string => `import { Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { useListState } from '../../../web/kit/list-state.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import type { ${pascal}Item } from '../model.ts'
import { CreateDialog, DeleteDialog, EditDialog } from './Dialogs.tsx'
import { use${pascal} } from './queries.ts'

type Asking = { readonly what: 'create' } | { readonly what: 'edit' | 'delete'; readonly item: ${pascal}Item }

const columnsOf = (ask: (asking: Asking) => void): readonly Column<${pascal}Item>[] => [
  { id: 'name', title: 'Name', sort: 'name', cell: ({ name }) => name },
  { id: 'text', title: 'Text', cell: ({ text }) => text },
  { id: 'created', title: 'Created', sort: 'created_at', cell: ({ created_at }) => <Moment time={created_at} /> },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (item) => (
      <Group gap="xs" justify="flex-end">
        <Button size="xs" variant="default" aria-label={\`Edit \${item.name}\`} onClick={() => ask({ what: 'edit', item })}>
          Edit
        </Button>
        <CutOffButton size="xs" aria-label={\`Delete \${item.name}\`} onClick={() => ask({ what: 'delete', item })}>
          Delete
        </CutOffButton>
      </Group>
    ),
  },
]

/** What is in the table, and dialogs that create, change and delete. */
export function ${pascal}Page() {
  const list = useListState('name')
  const items = use${pascal}(list.asked)
  const [asking, ask] = useState<Asking>()
  const close = () => ask(undefined)
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => ask({ what: 'create' })}>
      New entry
    </Button>
  )
  return (
    <Page title="${title}" actions={create}>
      <DataTable
        label="${title}"
        columns={columnsOf(ask)}
        query={items}
        rowKey={({ id }) => id}
        list={list}
        searchLabel="Search ${title.toLowerCase()}"
        empty={<Empty title={list.search ? 'Nothing found' : 'Nothing here yet'} />}
      />
      {asking?.what === 'create' && <CreateDialog onClose={close} />}
      {asking?.what === 'edit' && <EditDialog item={asking.item} onClose={close} />}
      {asking?.what === 'delete' && <DeleteDialog item={asking.item} onClose={close} />}
    </Page>
  )
}
`

const dialogsFile = ({ kebab, camel, pascal }: Names): string => `import { Modal } from '@mantine/core'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { readAgain } from '../../../web/queries.ts'
import { ${pascal}Draft, ${pascal}Edit, type ${pascal}Item } from '../model.ts'
import { ${camel} } from './api.ts'
import { add } from './queries.ts'

const text = { name: { label: 'Name' }, text: { label: 'Text' } }

interface DialogProps {
  readonly item: ${pascal}Item
  readonly onClose: () => void
}

/** Asks for a new one and creates it. */
export function CreateDialog({ onClose }: Pick<DialogProps, 'onClose'>) {
  const create = async (draft: ${pascal}Draft) => {
    const { name } = await add(draft)
    onClose()
    notify(\`\${name} was created.\`)
  }
  return (
    <Modal opened onClose={onClose} title="New entry" closeButtonProps={{ 'aria-label': 'Close' }}>
      <SchemaForm schema={${pascal}Draft} text={text} submitLabel="Create" onSubmit={create} onCancel={onClose} />
    </Modal>
  )
}

/** Changes one, unless it is another by now than the one that is shown. */
export function EditDialog({ item, onClose }: DialogProps) {
  const { id, name, revision } = item
  return (
    <PlannedForm
      title={\`Edit \${name}\`}
      confirmLabel="Save"
      schema={${pascal}Edit}
      text={text}
      given={item}
      sendsOnlyChanges
      callOf={(body: ${pascal}Edit) => ${camel}.edit${pascal}({ params: { id }, body, ifMatch: revision })}
      onClose={onClose}
      onDone={() => done(onClose, \`\${name} was changed.\`)}
    />
  )
}

/** Deletes one, after showing what that does. */
export function DeleteDialog({ item: { id, name }, onClose }: DialogProps) {
  return (
    <ChangeDialog
      title={\`Delete \${name}\`}
      confirmLabel="Delete"
      call={${camel}.delete${pascal}({ params: { id } })}
      onClose={onClose}
      onDone={() => done(onClose, \`\${name} was deleted.\`)}
    />
  )
}

async function done(close: () => void, message: string): Promise<void> {
  close()
  notify(message)
  await readAgain('${kebab}')
}
`
