import { Button, FileButton, Menu } from '@mantine/core'
import {
  IconChevronDown,
  IconCloudDownload,
  IconFilePlus,
  IconFolderPlus,
  IconFolderUp,
  IconGitBranch,
  IconPlus,
  IconUpload,
} from '@tabler/icons-react'
import { useRef } from 'react'
import type { Asked } from './actions/acts.ts'
import { filesOfInput } from './uploads/dropped.ts'
import { uploads } from './uploads/queue.ts'
import type { Place } from './whose.ts'

interface NewButtonsProps {
  readonly place: Place
  readonly onAsk: (asked: Asked) => void
}

/** The buttons that add something to a folder. */
export function NewButtons({ place: { whose, path }, onAsk }: NewButtonsProps) {
  const folderInput = useRef<HTMLInputElement>(null)
  const add = (files: Iterable<File>) => uploads.add(whose, filesOfInput(files, path))
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            New
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconFolderPlus size={16} aria-hidden />}
            onClick={() => onAsk({ kind: 'new-folder' })}
          >
            New folder
          </Menu.Item>
          <Menu.Item
            leftSection={<IconFilePlus size={16} aria-hidden />}
            onClick={() => onAsk({ kind: 'new-file' })}
          >
            New file
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconFolderUp size={16} aria-hidden />}
            onClick={() => folderInput.current?.click()}
          >
            Upload a folder
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCloudDownload size={16} aria-hidden />}
            onClick={() => onAsk({ kind: 'fetch' })}
          >
            Download from a URL
          </Menu.Item>
          <Menu.Item
            leftSection={<IconGitBranch size={16} aria-hidden />}
            onClick={() => onAsk({ kind: 'clone' })}
          >
            Clone a repository
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <FileButton multiple onChange={add} inputProps={{ 'aria-label': 'Files to upload' }}>
        {(props) => (
          <Button {...props} leftSection={<IconUpload size={16} aria-hidden />}>
            Upload
          </Button>
        )}
      </FileButton>
      <input
        ref={folderInput}
        type="file"
        multiple
        hidden
        aria-label="Folder to upload"
        {...{ webkitdirectory: '' }}
        onChange={({ currentTarget }) => {
          add(currentTarget.files ?? [])
          currentTarget.value = ''
        }}
      />
    </>
  )
}
