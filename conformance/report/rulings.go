package report

import (
	_ "embed"
	"fmt"

	"github.com/goccy/go-yaml"
)

// Ruling says what holds where the chapters leave a question open.
type Ruling struct {
	ID       string `yaml:"id"`
	Question string `yaml:"question"`
	Holds    string `yaml:"holds"`
}

//go:embed rulings.yaml
var rulings []byte

// Rulings lists the rulings by number.
func Rulings() ([]Ruling, error) {
	var r []Ruling
	if err := yaml.UnmarshalWithOptions(rulings, &r, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("rulings.yaml: %w", err)
	}
	return r, nil
}
