import type {
  ListCall,
  StatCall,
  ReadCall,
  WriteCall,
  MkdirCall,
  RemoveCall,
  MoveCall,
  CopyCall,
  ChmodCall,
  DirsizeCall,
  TrashCall,
  RestoreCall,
  EmptyCall,
  SearchCall,
  CompressCall,
  PackCall,
  ExtractCall,
  LookCall,
  EntriesCall,
} from './calls.ts'
import type { PreviewCall } from './preview/calls.ts'
import type { UploadCall } from './upload-calls.ts'

/** The calls that the panel may make. */
export type Call =
  | ListCall
  | StatCall
  | ReadCall
  | WriteCall
  | MkdirCall
  | RemoveCall
  | MoveCall
  | CopyCall
  | ChmodCall
  | DirsizeCall
  | TrashCall
  | RestoreCall
  | EmptyCall
  | SearchCall
  | CompressCall
  | PackCall
  | ExtractCall
  | LookCall
  | EntriesCall
  | UploadCall
  | PreviewCall
