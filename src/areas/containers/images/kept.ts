import { backupLabel } from '../../../tools/docker/index.ts'

interface Labelled {
  readonly Labels?: Readonly<Record<string, string>> | null
}

/** True if a backup of the panel consists of the image. */
export const isBackupImage = ({ Labels }: Labelled): boolean =>
  Labels !== undefined && Labels !== null && backupLabel in Labels
