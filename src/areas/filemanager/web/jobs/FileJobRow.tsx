import { Progress, Text } from '@mantine/core'
import {
  IconArrowBarDown,
  IconArrowBarUp,
  IconCloudDownload,
  IconCopy,
  IconFileZip,
  IconFolderSymlink,
  IconGitBranch,
  IconPackageExport,
  IconX,
} from '@tabler/icons-react'
import { TransferButton } from '../uploads/TransferRow.tsx'
import classes from '../uploads/dock.module.css'
import { type FileJob, fileJobs } from './file-jobs.ts'
import { doingText, subjectOf } from './job-text.ts'

const icons = {
  pack: IconFileZip,
  unpack: IconPackageExport,
  copy: IconCopy,
  move: IconFolderSymlink,
  fetch: IconCloudDownload,
  clone: IconGitBranch,
  pull: IconArrowBarDown,
  push: IconArrowBarUp,
}

/** The progress of a file job, with a button that stops it. */
export function FileJobRow({ job }: { readonly job: FileJob }) {
  const { key, verb, percent, text, state } = job
  const name = subjectOf(job)
  const Icon = icons[verb]
  const isWorking = state === 'working'
  return (
    <li className={classes.row}>
      <Icon size={17} aria-hidden className={classes.way} data-state={state} />
      <div className={classes.text}>
        <Text size="sm" truncate title={name}>
          {name}
        </Text>
        <Text
          size="xs"
          c={isWorking ? 'dimmed' : 'var(--mantine-color-error)'}
          className="anywhere"
          {...(!isWorking && { role: 'alert' })}
        >
          {isWorking ? textOfWork(job) : text}
        </Text>
        {isWorking && (
          <Progress.Root size={4} mt={4}>
            <Progress.Section
              value={percent ?? 100}
              animated={percent === null}
              color="indigo"
              aria-label={`Progress of ${name}`}
            />
          </Progress.Root>
        )}
      </div>
      <TransferButton
        label={isWorking ? `Cancel ${name}` : `Dismiss ${name}`}
        Icon={IconX}
        onClick={() => (isWorking ? void fileJobs.cancel(job) : fileJobs.dismiss(key))}
      />
    </li>
  )
}

function textOfWork({ verb, percent, text }: FileJob): string {
  const doing = `${doingText[verb]}${percent === null ? '' : ` ${percent} %`}`
  return text === 'Working' ? doing : `${doing} · ${text.charAt(0).toLowerCase()}${text.slice(1)}`
}
