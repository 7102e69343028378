import { Button } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { IconArrowLeft, IconDownload, IconHistory } from '@tabler/icons-react'
import { formatBytes } from '../../../web/kit/format.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { LinkButton } from '../../../web/kit/LinkButton.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { textOf } from '../../../web/wire.ts'
import { ArchiveEntries } from './archive/ArchiveEntries.tsx'
import { ExtractButton } from './archive/ExtractButton.tsx'
import { Picture } from './dialogs/Picture.tsx'
import { downloads } from './downloads.ts'
import { LockedNote } from './edit/LockedNote.tsx'
import { FileEditor } from './edit/FileEditor.tsx'
import { LargeFile } from './edit/LargeFile.tsx'
import { useLead, textOfNowhere } from './links.ts'
import { shown } from './names.ts'
import { isArchive, nameOf, parentOf } from './paths.ts'
import { pictureType } from './preview.ts'
import { useFile, useStat, type Whose } from './queries.ts'
import { Unfinished } from './uploads/Unfinished.tsx'
import { isNamed, type Place, usePlace } from './whose.ts'
import { WhoseFiles } from './WhoseFiles.tsx'

/** One file: an editor for text, a preview of a picture, the entries of an archive, or a note about any other type. */
export function EditFilePage() {
  const place = usePlace()
  return isNamed(place) ? <OpenFile key={place.path} place={place} /> : <WhoseFiles place={place} />
}

function OpenFile({ place: { whose, path, at } }: { readonly place: Place }) {
  const stat = useStat(whose, path)
  const name = shown(nameOf(path))
  const save = () =>
    void downloads
      .start(whose, stat.data ? [{ ...stat.data, path }] : [])
      .catch((error: unknown) => notify(textOf(error), true))
  const isLink = stat.data?.type === 'link'
  const lead = useLead(whose, path, isLink)
  const isReadable = stat.data?.type === 'file' || (isLink && lead.data === 'file')
  const actions = (
    <>
      <LinkButton
        to="/files"
        search={at(parentOf(path))}
        variant="default"
        leftSection={<IconArrowLeft size={16} aria-hidden />}
      >
        Back to the folder
      </LinkButton>
      <LinkButton
        to="/files/history"
        search={at(path)}
        variant="default"
        leftSection={<IconHistory size={16} aria-hidden />}
      >
        Earlier versions
      </LinkButton>
      <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
        Download
      </Button>
      {stat.data && isReadable && isArchive(name) && (
        <ExtractButton whose={whose} item={{ ...stat.data, path, name: nameOf(path), label: name }} />
      )}
    </>
  )
  const type = pictureType(name)
  const isFolder = stat.data?.type === 'folder' || lead.data === 'folder'
  return (
    <Page
      title={name}
      about={stat.data ? `${shown(path)} · ${formatBytes(stat.data.size_bytes)}` : shown(path)}
      actions={actions}
    >
      {stat.error && <Failure error={stat.error} onRetry={() => void stat.refetch()} />}
      {lead.error && <Failure error={lead.error} onRetry={() => void lead.refetch()} />}
      {(stat.isPending || (isLink && lead.isPending)) && <Loading rows={6} />}
      {stat.data && lead.data === 'nowhere' && (
        <Empty title="Broken link">{textOfNowhere({ ...stat.data, path })}</Empty>
      )}
      {isFolder && (
        <Empty
          title={isLink ? 'This is a link to a folder' : 'This is a folder'}
          action={
            <LinkButton to="/files" search={at(path)}>
              Open the folder
            </LinkButton>
          }
        >
          {shown(path)} holds other entries.
        </Empty>
      )}
      {stat.data?.type === 'other' && (
        <Empty title="Not a regular file">
          It is a device, a pipe or a socket, and has no content to show.
        </Empty>
      )}
      {stat.data && isReadable && stat.data.is_locked && <LockedNote whose={whose} path={path} />}
      {stat.data && isReadable && type && (
        <Picture whose={whose} item={{ ...stat.data, path, label: name }} />
      )}
      {isReadable && isArchive(name) && <ArchiveEntries whose={whose} path={path} />}
      {stat.data && isReadable && !isArchive(name) && (!type || type === 'image/svg+xml') && (
        <TextOfFile whose={whose} path={path} isLocked={stat.data.is_locked} />
      )}
      <Unfinished />
    </Page>
  )
}

function TextOfFile({
  whose,
  path,
  isLocked,
}: {
  readonly whose: Whose
  readonly path: string
  readonly isLocked: boolean
}) {
  const { line }: { readonly line?: unknown } = useSearch({ strict: false })
  const file = useFile(whose, path)
  if (file.error) return <Failure error={file.error} onRetry={() => void file.refetch()} />
  if (file.data === undefined) return <Loading rows={6} />
  const { content, encoding, etag, is_cut: isCut } = file.data
  if (encoding === 'base64')
    return (
      <Empty title="This file cannot be edited here">It is not a text file. Download it to view it.</Empty>
    )
  if (isCut)
    return (
      <LargeFile
        whose={whose}
        path={path}
        sizeBytes={file.data.size_bytes}
        line={Number(line) || undefined}
      />
    )
  return (
    <FileEditor
      key={file.dataUpdatedAt}
      whose={whose}
      path={path}
      line={Number(line) || undefined}
      isLocked={isLocked}
      first={{ text: content, encoding, etag }}
      onReload={() => void file.refetch()}
    />
  )
}
