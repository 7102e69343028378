import { Breadcrumbs, Button, Group, Switch } from '@mantine/core'
import { IconFolderPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { useListState } from '../../../web/kit/list-state.ts'
import { Page } from '../../../web/kit/Page.tsx'
import { type FileAction, FileDialogs, type Place } from './FileDialogs.tsx'
import { FileTable } from './FileTable.tsx'
import { crumbsOf } from './paths.ts'
import { useFolder } from './queries.ts'
import { Uploads } from './Uploads.tsx'
import { usePlace } from './whose.ts'
import { WhoseFiles } from './WhoseFiles.tsx'

/** The files of an account, folder by folder. */
export function FilesPage() {
  const place = usePlace()
  if (place.whose.username === undefined && place.whose.website_id === undefined) return <WhoseFiles />
  return <Folder key={place.path} place={place} />
}

function Folder({ place }: { readonly place: Place }) {
  const { whose, path, search } = place
  const list = useListState('name')
  const [showsHidden, setShowsHidden] = useState(false)
  const [action, setAction] = useState<FileAction>()
  const { search: _none, ...asked } = list.asked
  const folder = useFolder(whose, path, { ...asked, show_hidden: showsHidden })
  return (
    <Page
      title="Files"
      about={whose.username ? `Home of ${whose.username}` : `Home of the owner of website ${whose.website_id}`}
      actions={
        <Button variant="default" leftSection={<IconFolderPlus size={16} aria-hidden />} onClick={() => setAction({ kind: 'folder' })}>
          New folder
        </Button>
      }
    >
      <Group justify="space-between">
        <nav aria-label="Path">
          <Breadcrumbs styles={{ root: { flexWrap: 'wrap' } }}>
            {crumbsOf(path).map((crumb) => (
              <TextLink key={crumb.path} to="/files" search={{ ...search, path: crumb.path }}>
                {crumb.name}
              </TextLink>
            ))}
          </Breadcrumbs>
        </nav>
        <Switch label="Hidden files" checked={showsHidden} onChange={(event) => setShowsHidden(event.currentTarget.checked)} />
      </Group>
      <Uploads whose={whose} folder={path} />
      <FileTable query={folder} list={list} place={place} onAction={setAction} />
      {action && <FileDialogs action={action} place={place} onClose={() => setAction(undefined)} />}
    </Page>
  )
}
