// Walks the generated client through the requests of an application, and reports the steps that work.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"regexp"
	"strings"

	"example.org/you/tawthiq"
)

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

var (
	client  *tawthiq.APIClient
	token   string
	refresh string
	link    string
)

// session has the access token. The client takes it from the context of a call.
func session() context.Context {
	return context.WithValue(context.Background(), tawthiq.ContextAccessToken, token)
}

func login() (bool, error) {
	given := *tawthiq.NewLoginRequest("lawyer@demo.test", "Tawthiq-demo-1")
	response, _, err := client.AuthenticationAPI.Login(context.Background()).LoginRequest(given).Execute()
	if err != nil {
		return false, err
	}
	token, refresh = response.Data.Account.Token, response.Data.Session.RefreshToken
	return len(strings.Split(token, ".")) == 3, nil
}

func profile() (bool, error) {
	response, _, err := client.ProfileAPI.GetProfile(session()).Execute()
	return err == nil && response.Data.User.Email == "lawyer@demo.test", err
}

// form has the fields of the profile that do not change.
func form() tawthiq.ApiUpdateProfileRequest {
	return client.ProfileAPI.UpdateProfile(session()).
		AccountType("lawyer").Email("lawyer@demo.test").Phone("500000002").PhoneCode("966").
		CountryId(682).RegionId(1).CityId(1).NationalityId(682).Type_(1).Gender("Male").
		Longitude("46.6753").Latitude("24.7136").
		FirstName("عبدالله").SecondName("محمد").FourthName("القحطاني").
		About("محامٍ متخصص في القضايا التجارية.").NationalId("1012345672").IdentityType(1).
		Day(17).Month(5).Year(1988).Degree(1).GeneralSpecialty(1).AccurateSpecialty(102).FunctionalCases(1).
		Languages("[8,40]")
}

func update() (bool, error) {
	photo, err := writePhoto()
	if err != nil {
		return false, err
	}
	defer os.Remove(photo.Name())
	// the client closes the file
	response, _, err := form().Sections("[101]").LicenseNo(`{"101":"38/1234"}`).ProfilePhoto(photo).Execute()
	if err != nil {
		return false, err
	}
	user := response.Data.User
	link = user.GetProfilePhoto()
	isStored := reflect.DeepEqual(user.Languages, []int32{8, 40}) && reflect.DeepEqual(user.Sections, []int32{101})
	return isStored && strings.HasPrefix(link, "/api/v1/files/"), nil
}

func writePhoto() (*os.File, error) {
	bytes, err := base64.StdEncoding.DecodeString(png)
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp("", "photo-*.png")
	if err != nil {
		return nil, err
	}
	if _, err = file.Write(bytes); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	return file, err
}

func clearList() (bool, error) {
	response, _, err := form().Sections("[]").LicenseNo("{}").Execute()
	return err == nil && len(response.Data.User.Sections) == 0, err
}

func reject() (bool, error) {
	_, response, err := form().CityId(math.MaxInt32).Execute()
	var failure *tawthiq.GenericOpenAPIError
	if !errors.As(err, &failure) || response == nil || response.StatusCode != 422 {
		return false, err
	}
	body, isTyped := failure.Model().(tawthiq.ValidationErrorResponse)
	return isTyped && len(body.Data.Codes) == 1 && len(body.Data.Codes["city_id"]) == 1, nil
}

func renew() (bool, error) {
	given := *tawthiq.NewRefreshTokenRequest(refresh)
	response, _, err := client.SessionsAPI.RefreshToken(context.Background()).RefreshTokenRequest(given).Execute()
	if err != nil {
		return false, err
	}
	old := token
	token = response.Data.Account.Token
	return token != old, nil
}

func download() (bool, error) {
	id := regexp.MustCompile(`files/([^?]+)`).FindStringSubmatch(link)
	if id == nil {
		return false, errors.New("there is no link")
	}
	file, _, err := client.FilesAPI.GetFile(session(), id[1]).Execute()
	if err != nil {
		return false, err
	}
	defer file.Close()
	bytes, err := io.ReadAll(file)
	return err == nil && strings.HasPrefix(string(bytes), "\x89PNG"), err
}

func main() {
	configuration := tawthiq.NewConfiguration()
	configuration.Servers = tawthiq.ServerConfigurations{{URL: os.Args[1]}}
	client = tawthiq.NewAPIClient(configuration)

	steps := []struct {
		name string
		run  func() (bool, error)
	}{
		{"login", login}, {"profile", profile}, {"update with file", update}, {"clear a list", clearList},
		{"422", reject}, {"refresh", renew}, {"download", download},
	}
	works := []string{}
	for _, step := range steps {
		isRight, err := step.run()
		if isRight {
			works = append(works, step.name)
		} else {
			fmt.Fprintln(os.Stderr, step.name+":", err)
		}
	}
	line, _ := json.Marshal(works)
	fmt.Println("Works:", string(line))
}
