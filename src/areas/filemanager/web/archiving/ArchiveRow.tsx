import { Progress, Text } from '@mantine/core'
import { IconFileZip, IconPackageExport, IconX } from '@tabler/icons-react'
import { TransferButton } from '../uploads/TransferRow.tsx'
import classes from '../uploads/dock.module.css'
import { type Archiving, archivings } from './archiving.ts'

/** An archive that is being packed or unpacked: how far it is, and a way to stop it. */
export function ArchiveRow({ archiving }: { readonly archiving: Archiving }) {
  const { key, verb, name, percent, words, state } = archiving
  const Icon = verb === 'pack' ? IconFileZip : IconPackageExport
  const isWorking = state === 'working'
  return (
    <li className={classes.row}>
      <Icon size={17} aria-hidden className={classes.way} data-state={state} />
      <div className={classes.text}>
        <Text size="sm" truncate title={name}>
          {name}
        </Text>
        <Text size="xs" c={isWorking ? 'dimmed' : 'var(--mantine-color-error)'} className="anywhere" {...(!isWorking && { role: 'alert' })}>
          {isWorking ? wordsOfWork(archiving) : words}
        </Text>
        {isWorking && (
          <Progress.Root size={4} mt={4}>
            <Progress.Section value={percent ?? 100} animated={percent === null} color="indigo" aria-label={`How far ${name} is`} />
          </Progress.Root>
        )}
      </div>
      <TransferButton
        label={isWorking ? `Cancel ${name}` : `Dismiss ${name}`}
        Icon={IconX}
        onClick={() => (isWorking ? void archivings.cancel(archiving) : archivings.dismiss(key))}
      />
    </li>
  )
}

function wordsOfWork({ verb, percent, words }: Archiving): string {
  const doing = `${verb === 'pack' ? 'Compressing' : 'Extracting'}${percent === null ? '' : ` ${percent} %`}`
  return words === 'Working' ? doing : `${doing} · ${words.charAt(0).toLowerCase()}${words.slice(1)}`
}
