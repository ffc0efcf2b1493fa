// Package run passes an access token and one whose claims were changed to a library, and prints which of them it handles.
package run

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

// Claims are what the walk compares.
type Claims struct{ Subject, Issuer, Audience string }

// Run calls verify with each token, and the JWK set.
func Run(verify func(token string, keys []byte) (Claims, error)) {
	works := []string{}
	response, err := http.Get(os.Getenv("JWKS_URL"))
	if err != nil {
		panic(err)
	}
	keys, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	expected := Claims{os.Getenv("ACCOUNT"), os.Getenv("ISSUER"), os.Getenv("AUDIENCE")}
	claims, err := verify(os.Getenv("TOKEN"), keys)
	if err != nil {
		fmt.Println(err)
	} else if claims == expected {
		works = append(works, "verifies")
	}
	if _, err = verify(os.Getenv("FORGED"), keys); err != nil {
		works = append(works, "rejects")
	}
	text, _ := json.Marshal(works)
	fmt.Printf("Works: %s\n", text)
}
