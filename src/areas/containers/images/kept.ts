import { replacedLabel } from '../containers.ts'

/** The label of images that the panel's backups consist of. */
export const backupLabel = 'hostreeve.backup'

/** An image or container as the engine lists it. */
export interface Labelled {
  readonly Labels?: Readonly<Record<string, string>> | null
}

/** True if a backup of the panel consists of the image. */
export const isBackupImage = ({ Labels }: Labelled): boolean =>
  Labels !== undefined && Labels !== null && backupLabel in Labels

/** True if an edit keeps the stopped container, to which its undo returns. */
export const isKeptContainer = ({ Labels }: Labelled): boolean =>
  Labels !== undefined && Labels !== null && replacedLabel in Labels
