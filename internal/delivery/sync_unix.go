//go:build unix

package delivery

import (
	"errors"
	"os"
)

// syncFolders writes the names in folders through to the disk.
func syncFolders(folders ...string) error {
	for _, name := range folders {
		folder, err := os.Open(name)
		if err != nil {
			return err
		}
		if err := errors.Join(folder.Sync(), folder.Close()); err != nil {
			return err
		}
	}
	return nil
}
